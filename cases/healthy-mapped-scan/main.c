/* Computes the check sums of a disk image in the cache, which is mapped once. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SIZE (96ul << 20)
#define BLOCK (64ul << 10)

static uint32_t table[256];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void make_table(void)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t value = n;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[n] = value;
    }
}

static uint32_t check_sum(const uint8_t *block, size_t size)
{
    uint32_t sum = ~0u;
    for (size_t at = 0; at < size; at++)
        sum = sum >> 8 ^ table[(sum ^ block[at]) & 255];
    return ~sum;
}

static int open_image(const char *path)
{
    int file = open(path, O_RDONLY);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    return file;
}

static void write_sums(const char *path, const uint32_t *sums, size_t number)
{
    FILE *out = fopen(path, "w");
    for (size_t n = 0; n < number; n++)
        fprintf(out, "%zu %08x\n", n, sums[n]);
    fclose(out);
}

int main(void)
{
    make_table();
    int file = open_image("image.raw");
    uint8_t *image = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, file, 0);
    if (image == MAP_FAILED)
        return 1;
    madvise(image, SIZE, MADV_SEQUENTIAL);
    double start = now();
    static uint32_t sums[SIZE / BLOCK];
    size_t passes = 0;
    do {
        for (size_t n = 0; n < SIZE / BLOCK; n++)
            sums[n] = passes ? sums[n] ^ check_sum(image + n * BLOCK, BLOCK) : check_sum(image + n * BLOCK, BLOCK);
        passes++;
    } while (now() - start < 1.5);
    write_sums("sums.txt", sums, SIZE / BLOCK);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "passes %zu\nuser %.3f\nsystem %.3f\nmajor_faults %ld\nminor_faults %ld\n", passes,
            (usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6) / (now() - start),
            (usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6) / (now() - start), usage.ru_majflt, usage.ru_minflt);
    fclose(truth);
    return 0;
}
