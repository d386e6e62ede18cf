// Plays evenings of dice at several tables at the same time, to learn how often the bank wins.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TABLES = 4 };

static double start;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int throw_die(void) {
    return 1 + rand() % 6;
}

static int bank_wins(void) {
    int bank = throw_die() + throw_die() + throw_die();
    int guest = throw_die() + throw_die() + throw_die();
    return bank >= guest;
}

static void *play_evening(void *table) {
    long *games = table;
    while (now() - start < 2)
        for (int n = 0; n < 1000; n++, games[0]++) games[1] += bank_wins();
    return NULL;
}

int main(void) {
    pthread_t tables[TABLES];
    static long games[TABLES][16];
    long all = 0, wins = 0;
    start = now();
    for (int n = 0; n < TABLES; n++) pthread_create(&tables[n], NULL, play_evening, games[n]);
    for (int n = 0; n < TABLES; n++) {
        pthread_join(tables[n], NULL);
        all += games[n][0];
        wins += games[n][1];
    }
    printf("%ld games, the bank won %.3f\n", all, (double)wins / all);
}
