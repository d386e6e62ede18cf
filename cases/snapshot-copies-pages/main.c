// A store in memory with snapshots: a forked child keeps the state of a moment and writes it slowly, while the parent
// goes on. Whatever the parent changes meanwhile, the kernel must copy first, page by page.
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 24576, PAGE = 4096 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void update_entry(char *store, int entry) {
    store[(long)entry * PAGE + 64]++;
}

static void update_all(char *store) {
    for (int entry = 0; entry < PAGES; entry++) update_entry(store, entry);
}

// The child lives until the pipe's other end is closed.
static pid_t begin_snapshot(int *until) {
    int ends[2];
    char nothing;
    if (pipe(ends)) return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        _exit((int)read(ends[0], &nothing, 1));
    }
    close(ends[0]);
    *until = ends[1];
    return child;
}

int main(void) {
    char *store = mmap(NULL, (long)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(store, (long)PAGES * PAGE, MADV_NOHUGEPAGE);
    double before = now(), updating = 0, start;
    update_all(store);
    update_all(store);
    before = now();
    update_all(store);
    double untouched = now() - before;
    int rounds = 0, until;
    for (start = now(); now() - start < 2.0; rounds++) {
        pid_t child = begin_snapshot(&until);
        before = now();
        update_all(store);
        updating += now() - before;
        close(until);
        waitpid(child, NULL, 0);
    }
    double took = now() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "updating %.3f\nrounds %d\nfaults %ld\n", updating / took, rounds, usage.ru_minflt);
    fprintf(truth, "ms_per_round %.2f\nms_without_snapshot %.2f\n", 1000 * updating / rounds, 1000 * untouched);
    fclose(truth);
}
