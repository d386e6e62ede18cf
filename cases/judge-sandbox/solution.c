// Finds the most frequent distance between two marks in a file of records, with a small cache for the records.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RECORDS 20000
typedef struct { uint32_t mark; char name[28]; } Record;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static int make_records(void) {
    int file = open("marks.dat", O_RDWR | O_CREAT | O_TRUNC, 0644);
    Record block[100];
    uint32_t seed = 1;
    memset(block, 0, sizeof block);
    for (int i = 0; i < RECORDS; i += 100) {
        for (int k = 0; k < 100; k++) block[k].mark = (seed = seed * 1664525 + 1013904223) >> 20;
        if (write(file, block, sizeof block) < 0) return -1;
    }
    return file;
}

static uint32_t mark_at(int file, int index) {
    Record record;
    if (pread(file, &record, sizeof record, (off_t)index * sizeof record) != sizeof record) return 0;
    return record.mark;
}

static double score(uint32_t a, uint32_t b) {
    double sum = 0;
    for (int i = 1; i < 400; i++) sum += (double)((a ^ b) % i) / i;
    return sum;
}

int main(void) {
    double end = now() + 2, best = 0;
    int file = make_records(), compared = 0;
    for (int i = 0; now() < end; i = (i + 7919) % (RECORDS - 1)) {
        double value = score(mark_at(file, i), mark_at(file, i + 1));
        if (value > best) best = value;
        compared++;
    }
    printf("%.3f after %d pairs\n", best, compared);
    return 0;
}
