// Stores scans in a hundred folders, and computes a thumbnail for each.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned thumbnail(unsigned seed) {
    for (int n = 0; n < 150000; n++) seed = seed * 1664525 + 1013904223;
    return seed;
}

static double store_scan(long number, unsigned picture) {
    char name[60];
    snprintf(name, sizeof name, "scans/%02ld/letter-%07ld.tif", number % 100, number);
    double before = now();
    int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
    if (file < 0) { perror(name); exit(1); }
    if (write(file, &picture, sizeof picture) < 0) perror("write");
    close(file);
    return now() - before;
}

int main(void) {
    double start = now(), storing = 0;
    long number = 0;
    mkdir("scans", 0755);
    for (int n = 0; n < 100; n++) {
        char name[20];
        snprintf(name, sizeof name, "scans/%02d", n);
        mkdir(name, 0755);
    }
    while (now() - start < 2) {
        storing += store_scan(number, thumbnail(number));
        number++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "storing %.3f\nscans %ld\n", storing / (now() - start), number);
    fclose(truth);
}
