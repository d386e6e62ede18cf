// Books the day's loads of salt into the shared store of a salt works, one record for each pan.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PANS = 64, RECORD = 32 };

static double waited;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void claim_pan(int store, int pan, short kind) {
    struct flock range = {.l_type = kind, .l_whence = SEEK_SET, .l_start = (off_t)pan * RECORD, .l_len = RECORD};
    double before = now();
    if (fcntl(store, F_SETLKW, &range) != 0) {
        perror("pans.dat");
        exit(1);
    }
    waited += now() - before;
}

__attribute__((noinline)) static void book_load(int store, int pan, unsigned kilos) {
    char record[RECORD];
    unsigned long total = 0;
    claim_pan(store, pan, F_WRLCK);
    if (pread(store, record, RECORD, (off_t)pan * RECORD) == RECORD)
        total = strtoul(record, NULL, 10);
    memset(record, 0, RECORD);
    snprintf(record, RECORD, "%lu", total + kilos);
    if (pwrite(store, record, RECORD, (off_t)pan * RECORD) != RECORD)
        perror("pans.dat");
    claim_pan(store, pan, F_UNLCK);
}

int main(void) {
    int store = open("pans.dat", O_RDWR);
    if (store < 0) {
        perror("pans.dat");
        return 1;
    }
    double start = now();
    unsigned loads = 0;
    while (now() - start < 2.0) {
        book_load(store, loads % PANS, 40 + loads % 17);
        loads++;
    }
    double wall = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nloads %u\n", waited / wall, loads);
    fclose(truth);
    return 0;
}
