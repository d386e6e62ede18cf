// Heat spreads over a plate. Each thread computes its rows of a step, and waits for the others before the next one.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 1600 };

static float *plate[2];
static pthread_barrier_t step_done;
static int threads, steps;
static volatile int finished;
static double start;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void spread_heat(const float *from, float *to, int first, int last) {
    for (int y = first; y < last; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            const float *at = from + (long)y * SIDE + x;
            to[(long)y * SIDE + x] = at[0] + 0.2f * (at[-1] + at[1] + at[-SIDE] + at[SIDE] - 4 * at[0]);
        }
}

static void *compute_rows(void *argument) {
    int number = (long)argument, rows = (SIDE - 2) / threads;
    int first = 1 + number * rows, last = number == threads - 1 ? SIDE - 1 : first + rows;
    for (int step = 0; !finished; step++) {
        for (int fine = 0; fine < 4; fine++) spread_heat(plate[step & 1], plate[~step & 1], first, last);
        if (pthread_barrier_wait(&step_done) == PTHREAD_BARRIER_SERIAL_THREAD) {
            steps = step + 1;
            finished = now() - start > 2.0;
        }
        pthread_barrier_wait(&step_done);
    }
    return NULL;
}

int main(void) {
    threads = sysconf(_SC_NPROCESSORS_ONLN);
    for (int n = 0; n < 2; n++) {
        plate[n] = malloc(sizeof(float) * SIDE * SIDE);
        for (int cell = 0; cell < SIDE * SIDE; cell++) plate[n][cell] = cell % 1000 == 0 ? 1000 : 20;
    }
    pthread_barrier_init(&step_done, NULL, threads);
    pthread_t workers[threads];
    start = now();
    for (long n = 0; n < threads; n++) pthread_create(&workers[n], NULL, compute_rows, (void *)n);
    for (int n = 0; n < threads; n++) pthread_join(workers[n], NULL);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "cpus %.2f\nsteps %d\nwarmest %.1f\n", (used.ru_utime.tv_sec + used.ru_utime.tv_usec * 1e-6) / (now() - start),
            steps, plate[0][SIDE * 5 + 5]);
    fclose(truth);
}
