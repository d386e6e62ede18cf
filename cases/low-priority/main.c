// Computes at the lowest priority while other programs compute on all CPUs.
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile unsigned pixel;

static void draw_frame(void) {
    for (unsigned i = 0; i < 100000; i++) pixel = pixel * 31 + i;
}

int main(void) {
    struct timespec cpu;
    if (setpriority(PRIO_PROCESS, 0, 19)) return 1;
    int frames = 0;
    double start = now();
    for (; now() - start < 2.0; frames++) draw_frame();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nframes %d\n", 1 - (cpu.tv_sec + cpu.tv_nsec * 1e-9) / (now() - start), frames);
    fclose(truth);
}
