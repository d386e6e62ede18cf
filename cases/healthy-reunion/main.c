// Sorts the members of a club by the day that they joined, by town and by name, and groups them for the reunion.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct member {
    long joined;
    char name[24];
    int town;
};

static char buffer[1 << 16];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void write_members(const char *path, int count) {
    FILE *out = fopen(path, "w");
    setvbuf(out, buffer, _IOFBF, sizeof buffer);
    unsigned value = 1;
    for (int n = 0; n < count; n++) {
        value = value * 1103515245 + 12345;
        fprintf(out, "%d-%02d-%02d;member %d;%d\n", 1950 + value / 65536 % 75, value / 256 % 12 + 1, value / 4096 % 28 + 1, n, n % 300);
    }
    fclose(out);
}

static long day(int year, int month, int day_of_month) {
    return (year * 12L + month - 1) * 31 + day_of_month;
}

static int read_members(const char *path, struct member *members, int room) {
    char *line = NULL;
    size_t length = 0;
    int count = 0;
    FILE *in = fopen(path, "r");
    setvbuf(in, buffer, _IOFBF, sizeof buffer);
    while (count < room && getline(&line, &length, in) > 0) {
        char *rest;
        struct member *member = &members[count++];
        int year = strtol(line, &rest, 10), month = strtol(rest + 1, &rest, 10), day_of_month = strtol(rest + 1, &rest, 10);
        char *end = strchr(rest + 1, ';');
        snprintf(member->name, sizeof member->name, "%.*s", (int)(end - rest - 1), rest + 1);
        member->joined = day(year, month, day_of_month);
        member->town = atoi(end + 1);
    }
    free(line);
    fclose(in);
    return count;
}

static int by_day(const void *a, const void *b) {
    const struct member *first = a, *second = b;
    return (first->joined > second->joined) - (first->joined < second->joined);
}

static int by_town(const void *a, const void *b) {
    const struct member *first = a, *second = b;
    return first->town == second->town ? by_day(a, b) : first->town - second->town;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

static void write_groups(const char *path, const struct member *members, int count) {
    FILE *out = fopen(path, "w");
    setvbuf(out, buffer, _IOFBF, sizeof buffer);
    for (int n = 0; n < count; n++)
        fprintf(out, "%d %s %d\n", n / 40, members[n].name, members[n].town);
    fclose(out);
}

int main(void) {
    enum { COUNT = 150000 };
    int (*const orders[])(const void *, const void *) = {by_day, by_town, by_name};
    char path[] = "groups-0.txt";
    write_members("members.csv", COUNT);
    double start = now();
    int rounds = 0;
    struct member *members = calloc(COUNT, sizeof *members);
    int count = read_members("members.csv", members, COUNT);
    while (now() - start < 1.8) {
        qsort(members, count, sizeof *members, orders[rounds % 3]);
        if (rounds < 3) {
            path[7] = '0' + rounds;
            write_groups(path, members, count);
        }
        rounds++;
    }
    double wall = now() - start;
    free(members);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "rounds %d\nms_per_round %.1f\nuser %.2f\n", rounds, wall / rounds * 1000, clock() / (double)CLOCKS_PER_SEC);
    fclose(truth);
    return 0;
}
