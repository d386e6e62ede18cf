// Plays Conway's life; a timer's signal asks 50 times a second for a note of how many cells live.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { SIZE = 512 };
static unsigned char now_alive[SIZE][SIZE], next_alive[SIZE][SIZE];
static volatile sig_atomic_t asked;

static void ask(int signal) { asked = signal; }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static long step(void) {
    long alive = 0;
    for (int y = 0; y < SIZE; y++) {
        int up = (y + SIZE - 1) % SIZE, down = (y + 1) % SIZE;
        for (int x = 0; x < SIZE; x++) {
            int left = (x + SIZE - 1) % SIZE, right = (x + 1) % SIZE;
            int around = now_alive[up][left] + now_alive[up][x] + now_alive[up][right] + now_alive[y][left]
                       + now_alive[y][right] + now_alive[down][left] + now_alive[down][x] + now_alive[down][right];
            alive += next_alive[y][x] = around == 3 || (around == 2 && now_alive[y][x]);
        }
    }
    memcpy(now_alive, next_alive, sizeof now_alive);
    return alive;
}

int main(void) {
    struct itimerval rate = {{0, 20000}, {0, 20000}};
    unsigned seed = 7;
    for (int n = 0; n < SIZE * SIZE; n++) now_alive[n / SIZE][n % SIZE] = (seed = seed * 1664525 + 1013904223) >> 30 == 0;
    signal(SIGALRM, ask);
    setitimer(ITIMER_REAL, &rate, NULL);
    FILE *notes = fopen("notes.txt", "w");
    double start = now();
    int generation = 0;
    while (now() < start + 2) {
        long alive = step();
        generation++;
        if (asked) {
            asked = 0;
            fprintf(notes, "generation %d: %ld cells\n", generation, alive);
        }
    }
    fclose(notes);
}
