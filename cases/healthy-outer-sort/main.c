/* Sorts the calls of a month by their numbers, with little memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUN = 2 << 20, RUNS = 3, BUFFER = 1 << 20 };

static double writing, sorting, merging;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

/* Each file has a buffer of its own, by its place. */
static FILE *open_large(const char *name, const char *mode, int place) {
    static char buffers[RUNS + 1][BUFFER];
    FILE *file = fopen(name, mode);
    if (file == NULL) {
        perror(name);
        exit(1);
    }
    setvbuf(file, buffers[place], _IOFBF, BUFFER);
    return file;
}

static int by_number(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static void take_calls(uint64_t *calls, uint64_t seed) {
    for (int i = 0; i < RUN; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        calls[i] = seed >> 12;
    }
}

static void write_run(uint64_t *calls, int run) {
    char name[32];
    snprintf(name, sizeof name, "run-%d", run);
    double before = seconds();
    qsort(calls, RUN, sizeof *calls, by_number);
    double sorted = seconds();
    FILE *out = open_large(name, "wb", RUNS);
    fwrite(calls, sizeof *calls, RUN, out);
    fclose(out);
    sorting += sorted - before;
    writing += seconds() - sorted;
}

static int merge_runs(const char *name) {
    FILE *in[RUNS], *out = open_large(name, "wb", RUNS);
    uint64_t next[RUNS], last = 0;
    int more[RUNS], ordered = 1;
    for (int run = 0; run < RUNS; run++) {
        char from[32];
        snprintf(from, sizeof from, "run-%d", run);
        in[run] = open_large(from, "rb", run);
        more[run] = fread(&next[run], sizeof *next, 1, in[run]) == 1;
    }
    for (;;) {
        int best = -1;
        for (int run = 0; run < RUNS; run++)
            if (more[run] && (best < 0 || next[run] < next[best]))
                best = run;
        if (best < 0)
            break;
        ordered &= next[best] >= last;
        last = next[best];
        fwrite(&last, sizeof last, 1, out);
        more[best] = fread(&next[best], sizeof *next, 1, in[best]) == 1;
    }
    for (int run = 0; run < RUNS; run++)
        fclose(in[run]);
    fclose(out);
    return ordered;
}

int main(void) {
    uint64_t *calls = malloc(RUN * sizeof *calls);
    double start = seconds();
    for (int run = 0; run < RUNS; run++) {
        take_calls(calls, 17 + run);
        write_run(calls, run);
    }
    double before = seconds();
    int ordered = merge_runs("calls.sorted");
    merging = seconds() - before;
    double wall = seconds() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "sorting %.3f\nwriting_runs %.3f\nmerging %.3f\nordered %d\n", sorting / wall, writing / wall, merging / wall, ordered);
    fclose(truth);
    free(calls);
    return !ordered;
}
