// Two threads add up the colours of a quilt; each takes the next strip from a shared list, below a mutex.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static long next_strip, colours;
static double start;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static long take_strip(void) {
    pthread_mutex_lock(&list);
    long strip = next_strip++;
    pthread_mutex_unlock(&list);
    return strip;
}

static long add_colours(long strip) {
    unsigned long sum = strip, patch = strip * 2654435761u + 1;
    for (int n = 0; n < 1000000; n++) {
        patch = patch * 6364136223846793005u + 1442695040888963407u;
        sum += patch >> 60;
    }
    return sum;
}

static void *sew(void *unused) {
    while (now() - start < 2) {
        long sum = add_colours(take_strip());
        pthread_mutex_lock(&list);
        colours += sum;
        pthread_mutex_unlock(&list);
    }
    return unused;
}

int main(void) {
    pthread_t sewers[2];
    start = now();
    for (int n = 0; n < 2; n++) pthread_create(&sewers[n], NULL, sew, NULL);
    for (int n = 0; n < 2; n++) pthread_join(sewers[n], NULL);
    struct timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "cpus %.2f\nstrips %ld\n", (cpu.tv_sec + cpu.tv_nsec * 1e-9) / (now() - start), next_strip);
    fclose(truth);
    printf("%ld\n", colours);
}
