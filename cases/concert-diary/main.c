// Sorts the concerts of an orchestra's diary by their dates, as they were written down, and lists the next ones.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct concert {
    char date[32];
    int hall;
    int seats;
};

static long compared;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static time_t when(const struct concert *concert) {
    struct tm date = {0};
    strptime(concert->date, "%d %B %Y %H:%M", &date);
    return timegm(&date);
}

static int by_date(const void *a, const void *b) {
    time_t first = when(a), second = when(b);
    compared++;
    return (first > second) - (first < second);
}

static void read_diary(struct concert *concerts, int count, unsigned season) {
    for (int n = 0; n < count; n++) {
        season = season * 1103515245 + 12345;
        time_t evening = 1600000000 + (time_t)(season >> 8) * 40;
        struct tm date;
        gmtime_r(&evening, &date);
        strftime(concerts[n].date, sizeof concerts[n].date, "%d %B %Y %H:%M", &date);
        concerts[n].hall = n % 7;
        concerts[n].seats = season % 900;
    }
}

static void list(const struct concert *concerts, int count) {
    FILE *out = fopen("next.txt", "w");
    for (int n = 0; n < count; n++)
        fprintf(out, "%s, hall %d, %d seats\n", concerts[n].date, concerts[n].hall, concerts[n].seats);
    fclose(out);
}

int main(void) {
    enum { COUNT = 8000 };
    struct concert *concerts = calloc(COUNT, sizeof *concerts);
    double start = now(), sorting = 0;
    int seasons = 0;
    while (now() - start < 2) {
        read_diary(concerts, COUNT, seasons++);
        double before = now();
        qsort(concerts, COUNT, sizeof *concerts, by_date);
        sorting += now() - before;
    }
    double wall = now() - start;
    list(concerts, 50);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "sorting %.3f\nseasons %d\ncompared %ld\nns_per_comparison %.0f\n", sorting / wall, seasons, compared, sorting * 1e9 / compared);
    fclose(truth);
    free(concerts);
    return 0;
}
