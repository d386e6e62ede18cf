/* An index of stars: a large array is filled once, sorted once, and then searched. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { STARS = 3 << 20 };

struct star {
    uint32_t place, brightness;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void read_stars(struct star *stars) {
    for (uint32_t n = 0; n < STARS; n++)
        stars[n] = (struct star){n * 2654435761u, n * 31 % 997};
}

static void sort_by_place(struct star *from, struct star *to) {
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t starts[257] = {0};
        for (int n = 0; n < STARS; n++)
            starts[(from[n].place >> shift & 255) + 1]++;
        for (int n = 0; n < 256; n++)
            starts[n + 1] += starts[n];
        for (int n = 0; n < STARS; n++)
            to[starts[from[n].place >> shift & 255]++] = from[n];
        struct star *swap = from;
        from = to;
        to = swap;
    }
}

static uint32_t brightness_at(const struct star *stars, uint32_t place) {
    int low = 0, high = STARS;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (stars[middle].place <= place)
            low = middle;
        else
            high = middle;
    }
    return stars[low].brightness;
}

int main(void) {
    double start = now();
    struct star *stars = mmap(NULL, 2 * STARS * sizeof *stars, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stars == MAP_FAILED)
        return 1;
    read_stars(stars);
    sort_by_place(stars, stars + STARS);
    double ready = now();
    uint32_t place = 1, searches = 0, sum = 0;
    for (; now() - start < 2; searches += 1000)
        for (int n = 0; n < 1000; n++) {
            place = place * 1664525 + 1013904223;
            sum += brightness_at(stars, place);
        }
    double took = now() - start;
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "preparing %.3f\nsystem %.3f\nfaults %ld\nsearches %u\nsum %u\n", (ready - start) / took,
            (used.ru_stime.tv_sec + used.ru_stime.tv_usec / 1e6) / took, used.ru_minflt, searches, sum);
    fclose(truth);
    return 0;
}
