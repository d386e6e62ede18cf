/* Shows the weights of a scale. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double waited;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static long next_weight(FILE *scale) {
    char line[128];
    long weight = -1;
    double before = seconds();
    if (fgets(line, sizeof line, scale) == NULL)
        exit(1);
    waited += seconds() - before;
    sscanf(line, "weight %ld g", &weight);
    return weight;
}

static long show_weights(FILE *scale, FILE *display, double start) {
    long shown = 0;
    while (seconds() - start < 2) {
        fprintf(display, "%ld g\r", next_weight(scale));
        shown++;
    }
    return shown;
}

int main(void) {
    FILE *scale = fopen("weights.fifo", "r"), *display = fopen("display", "w");
    if (scale == NULL || display == NULL) {
        perror("weights.fifo");
        return 1;
    }
    double start = seconds();
    long shown = show_weights(scale, display, start);
    double wall = seconds() - start;
    fclose(scale);
    fclose(display);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "waited %.3f\nshown %ld\n", waited / wall, shown);
    return fclose(truth);
}
