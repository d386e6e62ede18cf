/* Checks the ships that a harbour's gate has noted against the register of berths. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BERTHS 20000

static char (*codes)[12];
static struct { long known, unknown, fees; } totals;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned long next_random(void)
{
    static unsigned long state = 88172645463325252UL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void load_register(void)
{
    codes = malloc(BERTHS * sizeof *codes);
    /* as many places as there are berths */
    if (!codes || !hcreate(BERTHS)) {
        perror("register");
        exit(1);
    }
    for (long i = 0; i < BERTHS; i++) {
        snprintf(codes[i], sizeof codes[i], "B%06ld", i * 7 % 1000000);
        ENTRY e = { codes[i], (void *)(i % 40 + 5) };
        if (!hsearch(e, ENTER)) {
            perror("hsearch");
            exit(1);
        }
    }
}

static const ENTRY *find_berth(char *code)
{
    ENTRY wanted = { code, NULL };
    return hsearch(wanted, FIND);
}

static void check_passage(char *line)
{
    char *save, *code = strtok_r(line, ";", &save), *days = strtok_r(NULL, ";", &save);
    const ENTRY *e = find_berth(code);
    if (e) {
        totals.known++;
        totals.fees += (long)e->data * atol(days);
    } else {
        totals.unknown++;
    }
}

int main(void)
{
    double start = now();
    load_register();
    while (now() - start < 2.0) {
        for (int i = 0; i < 50; i++) {
            char line[40];
            /* two of three are guests of the day, who have no berth of their own */
            if (next_random() % 3)
                snprintf(line, sizeof line, "G%06lu;%lu", next_random() % 1000000, next_random() % 9);
            else
                snprintf(line, sizeof line, "%s;%lu", codes[next_random() % BERTHS], next_random() % 9);
            check_passage(line);
        }
    }
    printf("%ld with a berth, %ld guests, %ld of fees\n", totals.known, totals.unknown, totals.fees);
    return 0;
}
