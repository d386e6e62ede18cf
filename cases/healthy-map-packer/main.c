/* Packs the height maps of a game on all CPUs: runs of equal steps become a step and a count. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define TILE (512 * 512)
#define MOST_THREADS 16

static atomic_int next_tile;
static atomic_long packed_bytes;
static double deadline;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void make_heights(int16_t *heights, unsigned number)
{
    unsigned dice = number * 2654435761u + 1;
    int height = 0;
    for (int n = 0; n < TILE; n++) {
        if (n % 23 == 0)
            dice = dice * 1103515245u + 12345u;
        height += (int)(dice >> 28) - 8;
        heights[n] = height / 16;
    }
}

static long pack_tile(const int16_t *heights, uint8_t *packed)
{
    long length = 0;
    int16_t last = 0;
    for (int n = 0; n < TILE;) {
        int16_t step = heights[n] - last;
        int run = 1;
        while (n + run < TILE && run < 255 && heights[n + run] - heights[n + run - 1] == step)
            run++;
        packed[length++] = (uint8_t)step;
        packed[length++] = (uint8_t)run;
        n += run;
        last = heights[n - 1];
    }
    return length;
}

static void *pack_tiles(void *unused)
{
    int16_t *heights = malloc(TILE * sizeof *heights);
    uint8_t *packed = malloc(TILE * 2);
    long bytes = 0;
    while (now() < deadline) {
        make_heights(heights, atomic_fetch_add(&next_tile, 1));
        bytes += pack_tile(heights, packed);
    }
    atomic_fetch_add(&packed_bytes, bytes);
    free(heights);
    free(packed);
    return unused;
}

int main(void)
{
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t pool[MOST_THREADS];
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    deadline = now() + 2;
    for (int t = 0; t < threads; t++)
        pthread_create(&pool[t], NULL, pack_tiles, NULL);
    for (int t = 0; t < threads; t++)
        pthread_join(pool[t], NULL);
    struct timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "threads %ld\ntiles %d\nbytes %ld\ncpu_s %.2f\n", threads, atomic_load(&next_tile), atomic_load(&packed_bytes),
            cpu.tv_sec + cpu.tv_nsec / 1e9);
    fclose(truth);
    return 0;
}
