// Draws the frames of a kite festival into an arena, which is given back after each frame.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { ARENA = 48 << 20, PAGE = 4096 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned draw_frame(unsigned char *arena, unsigned frame) {
    unsigned sum = 0;
    for (long at = 0; at < ARENA; at += PAGE) {
        arena[at + frame % 64] = frame + at / PAGE;
        sum += arena[at + frame % 64];
    }
    return sum;
}

static void clear_arena(unsigned char *arena) {
    madvise(arena, ARENA, MADV_DONTNEED);
}

int main(void) {
    unsigned char *arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(arena, ARENA, MADV_NOHUGEPAGE);
    double start = now();
    unsigned frames = 0, sum = 0;
    while (now() < start + 2) {
        sum += draw_frame(arena, frames++);
        clear_arena(arena);
    }
    double wall = now() - start;
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "system %.3f\nframes %u\nfaults_per_frame %ld\nsum %u\n",
            (used.ru_stime.tv_sec + used.ru_stime.tv_usec * 1e-6) / wall, frames, used.ru_minflt / frames, sum);
    fclose(truth);
}
