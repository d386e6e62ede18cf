// Adds up an archive of 32 MB.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static long read_archive(int file, double *reading, long *sum) {
    static unsigned char block[1 << 17];
    long size = 0;
    for (;;) {
        double before = now();
        long got = read(file, block, sizeof block);
        *reading += now() - before;
        if (got <= 0) return size;
        size += got;
        for (long n = 0; n < got; n += 16) *sum += block[n];
    }
}

int main(void) {
    double start = now(), reading = 0;
    long sum = 0;
    int file = open("archive.dat", O_RDONLY);
    long size = read_archive(file, &reading, &sum);
    double wall = now() - start;
    FILE *truth = fopen("truth", "w"), *io = fopen("/proc/self/io", "r");
    char line[100];
    fprintf(truth, "share %.3f\nmb_per_s %.1f\nsum %ld\n", reading / wall, size / wall / 1e6, sum);
    while (fgets(line, sizeof line, io)) fputs(line, truth);
    fclose(truth);
}
