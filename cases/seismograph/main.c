/* Records the tremors of a station in a ring of blocks, each of which is on the disk before the next one. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096
#define RING 4096

struct tremor_block {
    uint64_t number;
    uint32_t check;
    float sample[1000];
};

static double writing;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void measure(struct tremor_block *b, uint64_t number)
{
    b->number = number;
    b->check = 0;
    for (int i = 0; i < 1000; i++) {
        double t = (number * 1000 + i) * 0.001;
        b->sample[i] = (float)(sin(t) + 0.1 * sin(17 * t));
        b->check = b->check * 31 + (uint32_t)(int32_t)(b->sample[i] * 1000);
    }
}

static void store_block(int fd, const struct tremor_block *b)
{
    char page[BLOCK] = { 0 };
    off_t at = (off_t)(b->number % RING) * BLOCK;
    memcpy(page, b, sizeof *b);
    double t = now();
    if (pwrite(fd, page, BLOCK, at) != BLOCK
        || sync_file_range(fd, at, BLOCK, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER)) {
        perror("tremors.ring");
        exit(1);
    }
    writing += now() - t;
}

int main(void)
{
    double start = now();
    struct tremor_block b;
    uint64_t number = 0;
    int fd = open("tremors.ring", O_RDWR | O_CREAT, 0644);
    if (fd < 0)
        return 1;
    while (now() - start < 2.0) {
        measure(&b, number++);
        store_block(fd, &b);
    }
    printf("%llu blocks\n", (unsigned long long)number);
    FILE *truth = fopen("truth", "w");
    if (truth) {
        fprintf(truth, "share %.3f\nblocks %llu\n", writing / (now() - start), (unsigned long long)number);
        fclose(truth);
    }
    return 0;
}
