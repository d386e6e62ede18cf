// Sells seats over the web. The map of the seats is in memory shared with the box office.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include "seats.h"

static double waited;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static int best_seat(const struct seats *seats, int wish) {
    int best = -1, distance = 1000;
    for (int place = 0; place < 30 * 40; place++) {
        int here = (place / 40 - wish % 30) * (place / 40 - wish % 30) + (place % 40 - 20) * (place % 40 - 20);
        if (!seats->taken[place / 40][place % 40] && here < distance) best = place, distance = here;
    }
    return best;
}

__attribute__((noinline)) static int reserve_seat(struct seats *seats, int wish) {
    double before = now();
    pthread_mutex_lock(&seats->lock);
    waited += now() - before;
    int place = best_seat(seats, wish);
    if (place >= 0) seats->taken[place / 40][place % 40] = 'w';
    pthread_mutex_unlock(&seats->lock);
    return place;
}

static void send_ticket(int place) {
    struct timespec gateway = {0, 3 * 1000 * 1000};
    nanosleep(&gateway, NULL);
    printf("row %d seat %d\n", place / 40, place % 40);
}

int main(void) {
    int file = open("seats.map", O_RDWR);
    struct seats *seats = mmap(NULL, sizeof *seats, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (seats == MAP_FAILED) return 1;
    double start = now();
    int sold = 0;
    while (now() - start < 2.0) send_ticket(reserve_seat(seats, ++sold));
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "share %.3f\nsold %d\n", waited / (now() - start), sold);
    return fclose(truth);
}
