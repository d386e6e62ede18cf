/* A sketch book: each page gets a large canvas, of which a sketch touches a few spots. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 8192, HEIGHT = 4096 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static uint8_t *new_canvas(void)
{
    return malloc((size_t)WIDTH * HEIGHT);
}

__attribute__((noinline)) static unsigned draw_sketch(uint8_t *canvas, unsigned seed)
{
    unsigned sum = 0;
    for (int stroke = 0; stroke < 12; stroke++) {
        seed = seed * 1103515245 + 12345;
        uint8_t *spot = canvas + seed % ((size_t)WIDTH * HEIGHT - 64);
        for (int i = 0; i < 64; i++)
            spot[i] = (uint8_t)(seed >> 8);
        sum += spot[seed % 64];
    }
    return sum;
}

int main(void)
{
    double start = now(), making = 0;
    unsigned pages = 0, sum = 0;
    while (now() - start < 2.0) {
        double before = now();
        uint8_t *canvas = new_canvas();
        making += now() - before;
        sum += draw_sketch(canvas, pages++);
        free(canvas);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "pages %u\nmaking_canvas %.3f\nsum %u\n", pages, making / (now() - start), sum);
    return fclose(truth);
}
