// Writes the season's deliveries of the salt pans as one text for the printer.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHEET_SIZE = 64 << 20 };

struct delivery {
    int day;
    int pan;
    int sacks;
    char buyer[16];
};

static const char *BUYERS[] = {"Andersson", "Boulanger", "Cerny", "Dalgaard", "Eriksen"};
static double appending;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static struct delivery next_delivery(unsigned n) {
    struct delivery d = {.day = n / 40 % 180 + 1, .pan = n % 23, .sacks = (n * 7919u) % 60 + 1};
    strcpy(d.buyer, BUYERS[(n * 31u) % 5]);
    return d;
}

__attribute__((noinline)) static void append_entry(char *sheet, const char *line) {
    strcat(sheet, line);
}

static long write_sheet(char *sheet, double until, long *sacks) {
    long entries = 0;
    char line[96];
    while (now() < until) {
        struct delivery d = next_delivery(entries);
        snprintf(line, sizeof line, "day %3d  pan %2d  %-12s %3d sacks\n", d.day, d.pan, d.buyer, d.sacks);
        double start = now();
        append_entry(sheet, line);
        appending += now() - start;
        *sacks += d.sacks;
        entries++;
    }
    return entries;
}

int main(void) {
    double start = now();
    char *sheet = malloc(SHEET_SIZE);
    if (!sheet)
        return 1;
    sheet[0] = 0;
    long sacks = 0;
    long entries = write_sheet(sheet, start + 2, &sacks);
    FILE *out = fopen("deliveries.txt", "w");
    fputs(sheet, out);
    fclose(out);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nentries %ld\nsacks %ld\n", appending / (now() - start), entries, sacks);
    fclose(truth);
    free(sheet);
    return 0;
}
