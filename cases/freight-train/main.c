// Couples the wagons of freight trains one behind the other, and adds up what they weigh.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct wagon {
    int tons;
    struct wagon *next;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static struct wagon **last_coupling(struct wagon **train) {
    while (*train) train = &(*train)->next;
    return train;
}

static void couple(struct wagon **train, int tons) {
    struct wagon *wagon = malloc(sizeof *wagon);
    wagon->tons = tons;
    wagon->next = NULL;
    *last_coupling(train) = wagon;
}

static long weight(const struct wagon *train) {
    long tons = 0;
    for (; train; train = train->next) tons += train->tons;
    return tons;
}

int main(void) {
    struct wagon *train = NULL;
    double start = now();
    int wagons = 0;
    while (now() < start + 2) couple(&train, 20 + wagons++ * 7 % 61);
    double built = now();
    long tons = weight(train);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "coupling %.3f\nwagons %d\ntons %ld\n", (built - start) / (now() - start), wagons, tons);
    fclose(truth);
}
