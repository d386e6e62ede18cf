// The daemon of a capture card: each 10 ms it demodulates what has come, with real-time priority on the CPU that the
// card's interrupts go to.
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static double demodulate(double seconds) {
    double end = now() + seconds, sum = 0;
    while (now() < end)
        for (int i = 0; i < 200; i++) sum += sin(i * 0.1) * cos(i * 0.3);
    return sum;
}

int main(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(1, &set);
    struct sched_param priority = {.sched_priority = 30};
    if (sched_setaffinity(0, sizeof set, &set) || sched_setscheduler(0, SCHED_FIFO, &priority)) { perror("capture"); return 1; }
    FILE *ready = fopen("ready", "w");
    fclose(ready);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (double end = now() + 30; now() < end;) {
        demodulate(0.0075);
        next.tv_nsec += 10000000;
        if (next.tv_nsec >= 1000000000) { next.tv_nsec -= 1000000000; next.tv_sec++; }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    return 0;
}
