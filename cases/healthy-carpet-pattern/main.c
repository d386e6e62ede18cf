// Computes a pattern in two threads; the main thread does not wait for them, but ends.
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double start;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void compute_row(unsigned knot) {
    volatile unsigned wool = knot;
    for (int n = 0; n < 2000000; n++) wool = wool * 31 + n;
}

static void *compute_half(void *last) {
    for (unsigned row = 0; now() - start < 2; row++) compute_row(row);
    if (last == NULL) return NULL;
    pthread_join(*(pthread_t *)last, NULL);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "cpus %.3f\n", (used.ru_utime.tv_sec + used.ru_utime.tv_usec * 1e-6) / (now() - start));
    fclose(truth);
    return NULL;
}

int main(void) {
    static pthread_t first, second;
    start = now();
    pthread_create(&first, NULL, compute_half, NULL);
    pthread_create(&second, NULL, compute_half, &first);
    pthread_exit(NULL);
}
