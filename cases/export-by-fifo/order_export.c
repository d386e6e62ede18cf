/* Waits for an order to export, computes the export for 1.8 s of its CPU, and then opens the pipe to
   write it, as programs do that open their output last. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ROWS 20000

static unsigned amounts[ROWS];

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void book(unsigned day)
{
    for (unsigned row = 0; row < ROWS; row++)
        amounts[row] = amounts[row] * 31 + (row ^ day) % 977;
}

static void compute_export(void)
{
    double until = cpu_seconds() + 1.8;
    for (unsigned day = 0; cpu_seconds() < until; day++)
        book(day);
}

static void write_rows(FILE *out)
{
    for (unsigned row = 0; row < ROWS; row++)
        fprintf(out, "%u,region-%u,%u\n", row, row % 40, amounts[row] % 10000);
}

int main(void)
{
    fclose(fopen("ready", "w"));
    while (access("wanted", F_OK) != 0)
        usleep(5000);
    compute_export();
    FILE *out = fopen("orders.fifo", "w");
    if (!out)
        return 1;
    write_rows(out);
    fclose(out);
    pause();
    return 0;
}
