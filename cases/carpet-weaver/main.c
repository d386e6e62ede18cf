// Weaves a carpet in a thread of its own; the main thread does not wait for it, but ends.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static double start, pausing;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void weave_row(void) {
    volatile unsigned wool = 1;
    for (int n = 0; n < 2000000; n++) wool = wool * 31 + n;
}

static void let_dye_dry(void) {
    struct timespec pause = {0, 20000000};
    double before = now();
    nanosleep(&pause, NULL);
    pausing += now() - before;
}

static void *weave_carpet(void *unused) {
    while (now() - start < 2) {
        weave_row();
        let_dye_dry();
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", pausing / (now() - start));
    fclose(truth);
    return unused;
}

int main(void) {
    pthread_t weaver;
    start = now();
    pthread_create(&weaver, NULL, weave_carpet, NULL);
    pthread_exit(NULL);
}
