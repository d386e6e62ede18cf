// Records a film: writes blocks of 64 KB for two seconds, and never waits for the disk itself.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double record_block(int file, const char *block, long size) {
    double before = now();
    if (write(file, block, size) != size) { perror("write"); exit(1); }
    return now() - before;
}

int main(void) {
    static char block[1 << 16];
    double start = now(), slow = 0;
    long blocks = 0;
    int file = open("disk/film.raw", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    while (now() - start < 2) {
        memset(block, blocks, sizeof block);
        if (blocks % 4000 == 3999) lseek(file, 0, SEEK_SET);
        double took = record_block(file, block, sizeof block);
        // Copying 64 KB takes some tens of microseconds.
        if (took > 0.001) slow += took;
        blocks++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nblocks %ld\n", slow / (now() - start), blocks);
    fclose(truth);
}
