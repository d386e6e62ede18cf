/* Looks for lines of mails that repeat a word, with a POSIX expression that refers back. */
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int repeats_word(const regex_t *pattern, const char *line) {
    return regexec(pattern, line, 0, NULL, 0) == 0;
}

static void write_line(char *line, size_t size, unsigned number) {
    snprintf(line, size, "> on day %u we went to see the ferries, and the ferry %u was late by %u minutes", number % 31,
             number % 12, number * 7 % 60);
}

int main(void) {
    regex_t pattern;
    char line[160];
    unsigned lines = 0, repeated = 0;
    if (regcomp(&pattern, "([[:alpha:]]+) (.* )?\\1 ", REG_EXTENDED) != 0)
        return 1;
    double start = now(), matching = 0;
    while (now() - start < 2) {
        write_line(line, sizeof line, lines++);
        double before = now();
        repeated += repeats_word(&pattern, line);
        matching += now() - before;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nlines %u\nrepeated %u\n", matching / (now() - start), lines, repeated);
    fclose(truth);
    regfree(&pattern);
    return 0;
}
