// sampler EVERY_MS COUNT: writes the load of the CPUs to samples.csv, COUNT times, EVERY_MS ms apart.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double in_seconds(struct timespec t) {
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void sleep_until(struct timespec moment) {
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL)) {}
}

static int take_sample(int stat, unsigned long counts[8]) {
    char text[4096];
    ssize_t got = pread(stat, text, sizeof text - 1, 0);
    if (got <= 0) return 0;
    text[got] = 0;
    return sscanf(text, "cpu %lu %lu %lu %lu %lu %lu %lu %lu", &counts[0], &counts[1], &counts[2], &counts[3],
                  &counts[4], &counts[5], &counts[6], &counts[7]) == 8;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int every = atoi(argv[1]), count = atoi(argv[2]), stat = open("/proc/stat", O_RDONLY);
    FILE *out = fopen("samples.csv", "w");
    struct timespec moment, now;
    double latest = 0;
    unsigned long counts[8], before[8];
    take_sample(stat, before);
    clock_gettime(CLOCK_MONOTONIC, &moment);
    for (int n = 0; n < count; n++) {
        moment.tv_nsec += every * 1000000L;
        while (moment.tv_nsec >= 1000000000) moment.tv_sec++, moment.tv_nsec -= 1000000000;
        sleep_until(moment);
        clock_gettime(CLOCK_MONOTONIC, &now);
        double late = in_seconds(now) - in_seconds(moment);
        if (late > latest) latest = late;
        if (!take_sample(stat, counts)) return 1;
        fprintf(out, "%d,%lu,%lu\n", n, counts[0] - before[0], counts[3] - before[3]);
        for (int k = 0; k < 8; k++) before[k] = counts[k];
    }
    fclose(out);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "samples %d\nlatest_ms %.3f\n", count, latest * 1000);
    fclose(truth);
}
