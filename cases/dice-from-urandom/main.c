/* A board game on a server: players roll two dice and move. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static int roll(void) {
    FILE *chance = fopen("/dev/urandom", "rb");
    if (chance == NULL) {
        perror("/dev/urandom");
        exit(1);
    }
    int number;
    do
        number = fgetc(chance);
    while (number >= 252);
    fclose(chance);
    return number % 6 + 1;
}

static int move_player(int *fields, int player) {
    int first = roll(), second = roll();
    fields[player] = (fields[player] + first + second) % 40;
    return first == second;
}

int main(void) {
    int fields[4] = {0};
    long moves = 0, doubles = 0;
    double start = seconds(), rolling = 0;
    while (seconds() - start < 2) {
        double before = seconds();
        doubles += move_player(fields, moves % 4);
        rolling += seconds() - before;
        moves++;
    }
    double wall = seconds() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "rolling %.3f\nmoves %ld\ndoubles %.3f\n", rolling / wall, moves, (double)doubles / moves);
    return fclose(truth);
}
