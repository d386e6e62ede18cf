// Stores scans, an empty file for each, in one folder for two seconds.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double store_scan(long number) {
    char name[60];
    snprintf(name, sizeof name, "disk/scans/letter-%07ld-of-the-archive.tif", number);
    double before = now();
    int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
    double took = now() - before;
    if (file < 0) { perror(name); exit(1); }
    close(file);
    return took;
}

int main(void) {
    double start = now(), storing = 0, first = 0, last = 0;
    long number = 0;
    while (now() - start < 2 && number < 100000) {
        last = store_scan(number++);
        storing += last;
        if (number <= 500) first += last / 500;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nscans %ld\nfirst_us %.1f\nlast_us %.1f\n", storing / (now() - start),
            number, first * 1e6, last * 1e6);
    fclose(truth);
}
