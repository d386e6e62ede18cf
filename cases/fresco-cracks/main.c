// Follows the cracks in photographs of a fresco. Each crack is drawn into a fresh mask, whose pixels are counted.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 8000, HEIGHT = 5000 };

struct crack {
    int x, y;
    unsigned state;
};

static double masking;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int step(struct crack *crack) {
    crack->state = crack->state * 1664525u + 1013904223u;
    crack->x += (int)(crack->state >> 30) - 1;
    crack->y += 1;
    return crack->y < HEIGHT && crack->x >= 0 && crack->x < WIDTH;
}

__attribute__((noinline)) static long draw_crack(unsigned char *mask, struct crack crack) {
    long pixels = 0;
    do {
        unsigned char *pixel = mask + (size_t)crack.y * WIDTH + crack.x;
        pixels += !*pixel;
        *pixel = 255;
    } while (step(&crack));
    return pixels;
}

__attribute__((noinline)) static long measure_crack(struct crack crack) {
    unsigned char *mask = calloc(HEIGHT, WIDTH);
    if (!mask)
        exit(1);
    long pixels = draw_crack(mask, crack);
    free(mask);
    return pixels;
}

int main(void) {
    double start = now();
    unsigned cracks = 0;
    long pixels = 0;
    while (now() - start < 2) {
        struct crack crack = {(int)(cracks * 977 % 5000) + 200, 0, cracks * 2654435761u};
        double before = now();
        pixels += measure_crack(crack);
        masking += now() - before;
        cracks++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "masking_share %.3f\ncracks %u\npixels %ld\n", masking / (now() - start), cracks, pixels);
    fclose(truth);
    return 0;
}
