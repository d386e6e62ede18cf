// An oscilloscope draws sixty pictures per second, as many as its screen shows: a timer wakes it, it takes the samples
// that have come, draws the curve into memory, and waits for the timer again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 240 };
static uint32_t screen[HEIGHT][WIDTH];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int take_sample(long at) {
    int phase = at * 7 % 1000;
    return (phase < 500 ? phase : 1000 - phase) * HEIGHT / 520;
}

static void fade_screen(void) {
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) screen[row][column] = screen[row][column] * 7 / 8;
    }
}

static void draw_curve(long first) {
    for (int column = 0; column < WIDTH; column++) {
        int from = take_sample(first + column), to = take_sample(first + column + 1);
        if (from > to) {
            int swap = from;
            from = to;
            to = swap;
        }
        for (int row = from; row <= to; row++) screen[row][column] = 255;
    }
}

static long wait_for_frame(int timer) {
    uint64_t passed = 0;
    if (read(timer, &passed, sizeof passed) != sizeof passed) {
        perror("timer");
        exit(1);
    }
    return (long)passed;
}

int main(int argc, char **argv) {
    int rate = argc > 1 ? atoi(argv[1]) : 60, timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    struct itimerspec period = {.it_interval.tv_nsec = 1000000000 / rate, .it_value.tv_nsec = 1000000000 / rate};
    timerfd_settime(timer, 0, &period, NULL);
    double start = now(), drawing = 0;
    long pictures = 0, missed = 0;
    while (pictures + missed < 2 * rate) {
        missed += wait_for_frame(timer) - 1;
        double before = now();
        fade_screen();
        draw_curve(pictures * 37);
        drawing += now() - before;
        pictures++;
    }
    double wall = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "pictures %ld\nmissed %ld\ndrawing %.3f\nseconds %.3f\n", pictures, missed, drawing / wall, wall);
    return fclose(truth);
}
