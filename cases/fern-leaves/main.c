// Draws fern leaves point by point, for a book about plants.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE 512

struct map {
    double a, b, c, d, e, f;
    unsigned weight;
};

static const struct map maps[] = {
    {0, 0, 0, 0.16, 0, 0, 1},
    {0.85, 0.04, -0.04, 0.85, 0, 1.6, 85},
    {0.2, -0.26, 0.23, 0.22, 0, 1.6, 7},
    {-0.15, 0.28, 0.26, 0.24, 0, 0.44, 7},
};

static unsigned char page[SIZE][SIZE];
static unsigned state = 1;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static const struct map *choose_map(void) {
    state = state * 1664525 + 1013904223;
    unsigned dice = (state >> 8) % 100;
    for (unsigned n = 0; n < 4; n++) {
        if (dice < maps[n].weight) return &maps[n];
        dice -= maps[n].weight;
    }
    return &maps[3];
}

static void draw_leaf(unsigned points) {
    double x = 0, y = 0;
    for (unsigned n = 0; n < points; n++) {
        const struct map *map = choose_map();
        double next = map->a * x + map->b * y + map->e;
        y = map->c * x + map->d * y + map->f;
        x = next;
        int column = (int)(SIZE / 2 + x * SIZE / 11), row = SIZE - 1 - (int)(y * SIZE / 11);
        if (column >= 0 && column < SIZE && row >= 0 && row < SIZE && page[row][column] < 255) page[row][column]++;
    }
}

static void print_page(const char *path) {
    FILE *file = fopen(path, "wb");
    fprintf(file, "P5 %d %d 255\n", SIZE, SIZE);
    fwrite(page, sizeof page, 1, file);
    fclose(file);
}

int main(void) {
    double start = now(CLOCK_MONOTONIC);
    int leaves = 0;
    for (; now(CLOCK_MONOTONIC) - start < 2.2; leaves++) {
        memset(page, 0, sizeof page);
        draw_leaf(400000);
        char path[40];
        snprintf(path, sizeof path, "leaf-%d.pgm", leaves % 10);
        print_page(path);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "leaves %d\nshare_of_a_cpu %.3f\n", leaves, now(CLOCK_PROCESS_CPUTIME_ID) / (now(CLOCK_MONOTONIC) - start));
    fclose(truth);
}
