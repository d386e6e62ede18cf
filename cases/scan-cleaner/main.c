// Cleans scanned pages: the paper's shade is taken as a wide average of its surroundings and divided out, then the
// page is made black and white and packed by runs.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH 1240
#define HEIGHT 400
#define RADIUS 30

typedef struct { uint8_t *gray; float *shade; uint8_t *packed; size_t size; } Page;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static void scan(Page *page, int number) {
    uint32_t seed = number + 1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            seed = seed * 1664525 + 1013904223;
            float paper = 200 + 30 * sinf(x * 0.004f) * cosf(y * 0.006f) + (seed >> 28);
            int ink = (x / 7 + number) % 5 == 0 && (y / 9) % 3 == 0;
            page->gray[y * WIDTH + x] = ink ? paper * 0.4f : paper;
        }
}

static __attribute__((noinline)) void average_rows(const uint8_t *gray, float *shade) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int sum = 0, count = 0;
            for (int k = -RADIUS; k <= RADIUS; k++) {
                if (x + k < 0 || x + k >= WIDTH) continue;
                sum += gray[y * WIDTH + x + k];
                count++;
            }
            shade[y * WIDTH + x] = (float)sum / count;
        }
}

static void divide_out(Page *page) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float value = powf(page->gray[i] / page->shade[i], 0.8f) * 255;
        page->gray[i] = value < 150 ? 0 : 255;
    }
}

static void pack(Page *page) {
    page->size = 0;
    for (int i = 0; i < WIDTH * HEIGHT;) {
        int run = 1;
        while (i + run < WIDTH * HEIGHT && page->gray[i + run] == page->gray[i] && run < 127) run++;
        page->packed[page->size++] = page->gray[i] ? 128 | run : run;
        i += run;
    }
}

int main(void) {
    Page page = {malloc(WIDTH * HEIGHT), malloc(WIDTH * HEIGHT * sizeof(float)), malloc(WIDTH * HEIGHT), 0};
    double start = now(), averaging = 0;
    int pages = 0;
    FILE *out = fopen("pages.rle", "w");
    while (now() - start < 2) {
        scan(&page, pages++);
        double before = now();
        average_rows(page.gray, page.shade);
        averaging += now() - before;
        divide_out(&page);
        pack(&page);
        fwrite(page.packed, 1, page.size, out);
    }
    fclose(out);
    printf("%d pages\n", pages);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", averaging / (now() - start));
    return fclose(truth);
}
