// Encodes a film: computes each block of 64 KB, and writes it; the kernel writes it to the disk later.
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

static void encode_block(unsigned *block, long words, unsigned seed) {
    for (int pass = 0; pass < 120; pass++)
        for (long n = 0; n < words; n++) block[n] = seed = seed * 1664525 + 1013904223 + block[n];
}

int main(void) {
    static unsigned block[1 << 14];
    double start = now(), writing = 0;
    long blocks = 0;
    int file = open("film.raw", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    while (now() - start < 2) {
        encode_block(block, 1 << 14, blocks);
        double before = now();
        if (write(file, block, sizeof block) != sizeof block) { perror("write"); exit(1); }
        writing += now() - before;
        blocks++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "writing %.4f\nblocks %ld\n", writing / (now() - start), blocks);
    fclose(truth);
}
