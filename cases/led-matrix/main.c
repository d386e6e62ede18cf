// Drives a matrix of lamps: one row after the other is shifted out, and stays lit for a fraction of a millisecond.
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define ROWS 16
#define COLUMNS 64

static uint8_t picture[ROWS][COLUMNS];
static uint64_t port;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

// Battery operation: let the kernel gather our wake-ups with others.
static void save_power(void) { prctl(PR_SET_TIMERSLACK, 20 * 1000 * 1000L, 0, 0, 0); }

static void draw(int frame) {
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            picture[y][x] = 128 + 127 * sin((x + frame) * 0.3) * cos((y - frame) * 0.2);
}

static void shift_out(const uint8_t *row) {
    for (int plane = 7; plane >= 0; plane--)
        for (int x = 0; x < COLUMNS; x++) port = port << 1 | (row[x] >> plane & 1);
}

static __attribute__((noinline)) void hold_row(void) {
    struct timespec t = {0, 500 * 1000};
    nanosleep(&t, NULL);
}

static void show(void) {
    for (int y = 0; y < ROWS; y++) {
        shift_out(picture[y]);
        hold_row();
    }
}

int main(void) {
    double start = now();
    int frames = 0;
    save_power();
    while (frames < 240 && now() - start < 2.2) {        // two seconds at 120 pictures per second
        draw(frames++);
        show();
    }
    printf("%d pictures in %.2f s, %.2f ms per row\n", frames, now() - start, (now() - start) * 1000 / frames / ROWS);
    return 0;
}
