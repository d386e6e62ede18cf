// Sorts the register of births of a parish by date, and prints the first entry.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BIRTHS = 20000 };

static char births[BIRTHS][48];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fill_register(unsigned seed) {
    static const char *months[] = {"January", "March", "May", "August", "October", "December"};
    for (int n = 0; n < BIRTHS; n++) {
        seed = seed * 1103515245u + 12345u;
        snprintf(births[n], sizeof births[n], "%d %s %d: child %d", 1 + (seed >> 9) % 28, months[(seed >> 16) % 6], 1700 + (seed >> 20) % 200, n);
    }
}

static time_t day_of(const char *entry) {
    struct tm day;
    memset(&day, 0, sizeof day);
    strptime(entry, "%d %B %Y", &day);
    return timegm(&day);
}

static int earlier(const void *one, const void *other) {
    time_t a = day_of(one), b = day_of(other);
    return a < b ? -1 : a > b;
}

int main(void) {
    int registers = 0;
    for (double start = now(); now() - start < 2; registers++) {
        fill_register(registers);
        qsort(births, BIRTHS, sizeof births[0], earlier);
    }
    printf("%d registers, first: %s\n", registers, births[0]);
}
