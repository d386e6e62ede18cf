// Reads blocks of a large file in random order; the file is not in the page cache.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, BLOCKS = 65536 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double read_block(int file, unsigned number) {
    char block[BLOCK];
    double before = now();
    if (pread(file, block, BLOCK, (off_t)(number % BLOCKS) * BLOCK) != BLOCK) _exit(1);
    return now() - before;
}

int main(void) {
    int file = open("blocks.dat", O_RDONLY), reads = 0;
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
    double start = now(), reading = 0;
    unsigned number = 1;
    for (; now() - start < 1.5; reads++) {
        if (reads % 10000 == 9999) posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        reading += read_block(file, (number = number * 1103515245u + 12345u) >> 8);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nreads %d\n", reading / (now() - start), reads);
    fclose(truth);
}
