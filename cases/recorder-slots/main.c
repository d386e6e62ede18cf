// Prepares the slots of a recorder's memory card, so that a recording never fails for want of room, and writes the
// index of the slots.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLOT_SIZE (12 << 20)
#define SLOTS 8

typedef struct { char name[32]; uint64_t size; uint32_t check; } Entry;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static uint32_t check_sum(const void *data, size_t size) {
    const uint8_t *bytes = data;
    uint32_t sum = 1;
    for (size_t i = 0; i < size; i++) sum = sum * 31 + bytes[i];
    return sum;
}

static __attribute__((noinline)) int reserve_slot(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return -1;
    int error = posix_fallocate(file, 0, SLOT_SIZE);
    if (error) { close(file); errno = error; return -1; }
    return file;
}

static int write_header(int file, Entry *entry) {
    entry->check = check_sum(entry, offsetof(Entry, check));
    return pwrite(file, entry, sizeof *entry, 0) == sizeof *entry ? close(file) : -1;
}

int main(void) {
    double start = now(), reserving = 0;
    Entry entries[SLOTS];
    int prepared = 0;
    for (int i = 0; now() - start < 2; i = (i + 1) % SLOTS, prepared++) {
        char path[64];
        memset(&entries[i], 0, sizeof entries[i]);
        snprintf(entries[i].name, sizeof entries[i].name, "slot-%02d.rec", i);
        entries[i].size = SLOT_SIZE;
        snprintf(path, sizeof path, "card/%s", entries[i].name);
        double before = now();
        int file = reserve_slot(path);
        reserving += now() - before;
        if (file < 0 || write_header(file, &entries[i])) { perror(path); return 1; }
    }
    FILE *index = fopen("card/index", "w");
    fwrite(entries, sizeof *entries, SLOTS, index);
    fclose(index);
    printf("%d slots prepared, %.2f s of it in reserve_slot\n", prepared, reserving);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", reserving / (now() - start));
    return fclose(truth);
}
