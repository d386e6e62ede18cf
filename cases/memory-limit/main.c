// Reads a file of 96 MB again and again; its memory limit of 48 MB lets the cache keep half of it.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static long read_table(int file) {
    static char block[1 << 16];
    long sum = 0, got;
    lseek(file, 0, SEEK_SET);
    while ((got = read(file, block, sizeof block)) > 0) sum += block[0] + got;
    return sum;
}

int main(void) {
    int file = open("table.dat", O_RDONLY), passes = 0;
    for (double start = now(); now() - start < 2.0; passes++) read_table(file);
    FILE *truth = fopen("truth", "w"), *io = fopen("/proc/self/io", "r");
    char line[100];
    while (fgets(line, sizeof line, io)) fputs(line, truth);
    fprintf(truth, "passes %d\n", passes);
    fclose(truth);
}
