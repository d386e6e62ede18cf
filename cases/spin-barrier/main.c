// Eight threads compute in phases and spin until all are there: those that wait take the CPUs from
// those that still work.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 8 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static atomic_int arrived, phase, stop;
static double start;

static void barrier_wait(void) {
    int mine = phase;
    if (++arrived == THREADS) {
        arrived = 0;
        stop = now() - start > 2.0;
        phase++;
    } else {
        while (phase == mine) {}
    }
}

static unsigned compute_part(unsigned seed) {
    for (int i = 0; i < 20000; i++) seed = seed * 1103515245u + 12345u;
    return seed;
}

static void *worker(void *arg) {
    volatile unsigned result = 1;
    while (!stop) {
        result = compute_part(result);
        barrier_wait();
    }
    return arg;
}

int main(void) {
    pthread_t threads[THREADS];
    start = now();
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "phases %d\n", phase);
    fclose(truth);
}
