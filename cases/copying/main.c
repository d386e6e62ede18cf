// A queue in an array: taking the first of 50,000 jobs moves all others down by one.
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { JOBS = 50000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static struct job { long number, priority; } queue[JOBS];

static struct job take_first(void) {
    struct job first = queue[0];
    memmove(queue, queue + 1, (JOBS - 1) * sizeof *queue);
    return first;
}

static void put_last(struct job job) { queue[JOBS - 1] = job; }

int main(void) {
    long jobs = 0;
    for (double start = now(); now() - start < 1.5; jobs++) put_last(take_first());
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "jobs %ld\n", jobs);
    fclose(truth);
}
