// Two threads count in variables of their own, which share one cache line.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static struct { volatile long even, odd; } counters;
static double start;

static void count_even(void) {
    for (int i = 0; i < 100000; i++) counters.even++;
}

static void count_odd(void) {
    for (int i = 0; i < 100000; i++) counters.odd++;
}

static void *run(void *count) {
    while (now() - start < 1.5) ((void (*)(void))count)();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    start = now();
    pthread_create(&threads[0], NULL, run, (void *)count_even);
    pthread_create(&threads[1], NULL, run, (void *)count_odd);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "counted %ld\n", counters.even + counters.odd);
    fclose(truth);
}
