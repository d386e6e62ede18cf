// Computes, but another program stops it for a second.
#include <stdio.h>
#include <time.h>
#include <unistd.h>

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
    FILE *pid = fopen("pid.part", "w");
    fprintf(pid, "%d", getpid());
    fclose(pid);
    rename("pid.part", "pid");
    int frames = 0;
    for (double start = now(); now() - start < 2.0; frames++) draw_frame();
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "frames %d\n", frames);
    fclose(truth);
}
