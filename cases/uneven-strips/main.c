// A forecast of the tide is computed in four strips of the sea, by a thread each, which meet after every step. The coast
// is in the last strip, and takes much longer than open water.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { STRIPS = 4, CELLS = 6000 };
static double water[STRIPS][CELLS], waited[STRIPS], computed[STRIPS];
static pthread_barrier_t step_done;
static int finished;
static double start;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void compute_open_water(double *cells) {
    for (int n = 1; n < CELLS - 1; n++) cells[n] = 0.5 * cells[n] + 0.25 * (cells[n - 1] + cells[n + 1]);
}

static void compute_coast(double *cells) {
    for (int round = 0; round < 600; round++) {
        for (int n = 1; n < CELLS - 1; n++) {
            double slope = cells[n + 1] - cells[n - 1];
            cells[n] = 0.5 * cells[n] + 0.25 * (cells[n - 1] + cells[n + 1]) - 0.001 * slope / (1 + slope * slope);
        }
    }
}

static void meet_others(int strip) {
    double before = now();
    pthread_barrier_wait(&step_done);
    waited[strip] += now() - before;
}

static void *forecast_strip(void *argument) {
    int strip = (int)(long)argument;
    while (!finished) {
        double before = now();
        if (strip == STRIPS - 1) compute_coast(water[strip]);
        else compute_open_water(water[strip]);
        computed[strip] += now() - before;
        meet_others(strip);
        if (strip == 0) finished = now() - start > 2;
        meet_others(strip);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[STRIPS];
    for (int s = 0; s < STRIPS; s++) {
        for (int n = 0; n < CELLS; n++) water[s][n] = n * 7919 % 101 * 0.01 + s;
    }
    pthread_barrier_init(&step_done, NULL, STRIPS);
    start = now();
    for (long n = 0; n < STRIPS; n++) pthread_create(&threads[n], NULL, forecast_strip, (void *)n);
    for (int n = 0; n < STRIPS; n++) pthread_join(threads[n], NULL);
    double wall = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "coast_computes %.3f\nopen_water_computes %.3f\nopen_water_waits %.3f\ncoast_waits %.3f\n", computed[3] / wall,
        computed[0] / wall, waited[0] / wall, waited[3] / wall);
    return fclose(truth);
}
