// Waits with inotify for an order that another program writes after 1.5 s of computing.
#include <stdio.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void wait_for_order(int watch) {
    char event[4096];
    if (read(watch, event, sizeof event) <= 0) _exit(1);
}

int main(void) {
    int watch = inotify_init();
    inotify_add_watch(watch, "inbox", IN_MOVED_TO);
    rename("go.part", "go");
    double start = now();
    wait_for_order(watch);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "waited %.3f\n", now() - start);
    fclose(truth);
}
