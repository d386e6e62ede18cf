// Loads a model of 384 MB for the first time, in large blocks and in order, and adds it up.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned long add_up(const unsigned char *block, long size, unsigned long sum) {
    for (long n = 0; n < size; n++) sum = sum * 31 + block[n];
    return sum;
}

int main(void) {
    static unsigned char block[BLOCK];
    unsigned long sum = 0;
    double start = now(CLOCK_MONOTONIC), reading = 0;
    int model = open("model.bin", O_RDONLY);
    posix_fadvise(model, 0, 0, POSIX_FADV_SEQUENTIAL);
    for (;;) {
        double before = now(CLOCK_MONOTONIC);
        long got = read(model, block, BLOCK);
        reading += now(CLOCK_MONOTONIC) - before;
        if (got <= 0) break;
        for (int n = 0; n < 3; n++) sum = add_up(block, got, sum + n);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "took %.3f\nreading %.3f\ncpu %.3f\nsum %lu\n", now(CLOCK_MONOTONIC) - start, reading,
        now(CLOCK_PROCESS_CPUTIME_ID), sum);
    fclose(truth);
}
