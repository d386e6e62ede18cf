// Computes on CPU 0 only, where another program computes, too.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile unsigned pixel;

static void draw_frame(void) {
    for (unsigned i = 0; i < 1000000; i++) pixel = pixel * 31 + i;
}

int main(void) {
    cpu_set_t only;
    struct timespec cpu;
    CPU_ZERO(&only);
    CPU_SET(0, &only);
    if (sched_setaffinity(0, sizeof only, &only)) return 1;
    int frames = 0;
    double start = now();
    for (; now() - start < 2.0; frames++) draw_frame();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nframes %d\n", 1 - (cpu.tv_sec + cpu.tv_nsec * 1e-9) / (now() - start), frames);
    fclose(truth);
}
