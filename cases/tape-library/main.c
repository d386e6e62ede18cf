// Compares the tracks of old tapes, pair by pair, and tells the kernel after each that it does not need the file any more.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRACKS = 12, SIZE = 8 << 20 };
static char first[SIZE], second[SIZE];
static double reading;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void write_track(int number) {
    char name[40];
    snprintf(name, sizeof name, "track-%d.pcm", number);
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    for (int n = 0; n < SIZE; n++) first[n] = n * 7 + number * (n >> 12);
    if (write(file, first, SIZE) != SIZE) exit(1);
    fsync(file);
    close(file);
}

static void load_track(int number, char *sound) {
    char name[40];
    double before = now();
    snprintf(name, sizeof name, "track-%d.pcm", number);
    int file = open(name, O_RDONLY);
    for (long at = 0; at < SIZE;) {
        long got = read(file, sound + at, SIZE - at);
        if (got <= 0) exit(1);
        at += got;
    }
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
    reading += now() - before;
}

static long difference(const char *one, const char *other) {
    long sum = 0;
    for (int n = 0; n < SIZE; n += 16) sum += one[n] != other[n];
    return sum;
}

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "record") == 0) {
        for (int n = 0; n < TRACKS; n++) write_track(n);
        return 0;
    }
    double start = now();
    long pairs = 0, sum = 0;
    while (now() < start + 2.2) {
        load_track(pairs % TRACKS, first);
        load_track(pairs * 5 % TRACKS, second);
        sum += difference(first, second);
        pairs++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "reading %.3f\npairs %ld\nsum %ld\n", reading / (now() - start), pairs, sum);
    fclose(truth);
}
