// The harbour master's boat enters which moorings are free on its round.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOORINGS 64
#define LINE 32

struct round {
    int entered, taken;
    double waited;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void hold_mooring(int list, int mooring, struct round *round) {
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = mooring * LINE, .l_len = LINE};
    double before = now();
    if (fcntl(list, F_SETLKW, &range) != 0) {
        perror("moorings.dat");
        exit(1);
    }
    round->waited += now() - before;
}

static void release_mooring(int list, int mooring) {
    struct flock range = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = mooring * LINE, .l_len = LINE};
    fcntl(list, F_SETLK, &range);
}

static void enter_mooring(int list, int mooring, int is_free, struct round *round) {
    char line[LINE + 1], old[LINE] = "";
    hold_mooring(list, mooring, round);
    if (pread(list, old, LINE, mooring * LINE) == LINE && strstr(old, "taken")) round->taken++;
    snprintf(line, sizeof line, "%03d %-27s\n", mooring, is_free ? "free" : "taken");
    if (pwrite(list, line, LINE, mooring * LINE) != LINE) perror("moorings.dat");
    release_mooring(list, mooring);
    round->entered++;
}

int main(void) {
    struct round round = {0};
    int list = open("moorings.dat", O_RDWR | O_CREAT, 0644);
    double start = now();
    for (int mooring = 0; now() - start < 2.2; mooring++) {
        enter_mooring(list, mooring % MOORINGS, mooring % 3 == 0, &round);
        usleep(15000);   // on to the next buoy
    }
    double wall = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nentered %d\ntaken %d\n", round.waited / wall, round.entered, round.taken);
    fclose(truth);
    close(list);
}
