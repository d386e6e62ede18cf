// Stamps every event with the time, and asks the kernel for it by a real system call.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long stamps;

static double timestamp(void) {
    struct timespec t;
    stamps++;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(void) {
    double start = timestamp();
    while (timestamp() - start < 1.5) {}
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "system_calls %ld\n", stamps);
    fclose(truth);
}
