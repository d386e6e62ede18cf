// Adds up invoices: a fixed piece of work (0.4 s of CPU), as long as that takes.
#include <stdio.h>
#include <time.h>

static double clock_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned add_invoices(unsigned month) {
    unsigned sum = month;
    for (int n = 0; n < 200000; n++) sum = sum * 1103515245 + 12345 + (sum >> 7);
    return sum;
}

int main(void) {
    double start = clock_of(CLOCK_MONOTONIC);
    unsigned sum = 0, months = 0;
    // At most 4 s by the wall clock, should the share be even smaller than meant.
    while (clock_of(CLOCK_PROCESS_CPUTIME_ID) < 0.4 && clock_of(CLOCK_MONOTONIC) - start < 4.0)
        sum ^= add_invoices(months++);
    double wall = clock_of(CLOCK_MONOTONIC) - start, cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "missing %.3f\ncpu %.3f\nwall %.3f\nmonths %u\nsum %u\n", 1 - cpu / wall, cpu, wall, months, sum);
    fclose(truth);
}
