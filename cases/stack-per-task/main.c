// Two schedulers run small tasks, each on a stack of its own that is mapped for it, with a guard page, and
// unmapped afterwards. With any argument each scheduler keeps its stack.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { SIZE = 256 * 1024, PAGE = 4096, USED = 24 };
static int keep;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static char *new_stack(void) {
    char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, PAGE, PROT_NONE)) exit(1);
    return stack;
}

static void free_stack(char *stack) {
    munmap(stack, SIZE);
}

static unsigned do_work(char *stack, unsigned task) {
    unsigned sum = task;
    for (int n = 1; n <= USED; n++) {
        volatile char *frame = stack + SIZE - n * PAGE;
        *frame = (char)(sum + n);
        sum = sum * 31 + *frame;
    }
    return sum;
}

static unsigned run_task(char **kept, unsigned task) {
    char *stack = keep && *kept ? *kept : new_stack();
    unsigned sum = do_work(stack, task);
    if (keep) *kept = stack;
    else free_stack(stack);
    return sum;
}

static void *scheduler(void *count) {
    char *kept = NULL;
    unsigned *tasks = count, sum = 0;
    for (double start = now(); now() - start < 2.0; ++*tasks) sum ^= run_task(&kept, *tasks);
    return (void *)(long)(sum & 1);
}

int main(int argc, char **argv) {
    unsigned tasks[2] = {0};
    pthread_t threads[2];
    keep = argc > 1 && argv[1];
    for (int n = 0; n < 2; n++) {
        pthread_create(&threads[n], NULL, scheduler, &tasks[n]);
        pthread_setname_np(threads[n], n ? "scheduler-1" : "scheduler-0");
    }
    for (int n = 0; n < 2; n++) pthread_join(threads[n], NULL);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double user = used.ru_utime.tv_sec + used.ru_utime.tv_usec * 1e-6;
    double system = used.ru_stime.tv_sec + used.ru_stime.tv_usec * 1e-6;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "tasks %u\nfaults_per_task %.1f\nuser %.2f\nsystem %.2f\n", tasks[0] + tasks[1],
            (double)used.ru_minflt / (tasks[0] + tasks[1]), user, system);
    fclose(truth);
}
