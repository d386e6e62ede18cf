/* Writes the names on envelopes in capitals. The names of a whole mailing come as one text. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static char *read_names(int count) {
    char *text = malloc(count * 32 + 1), *end = text;
    for (int i = 0; i < count; i++)
        end += sprintf(end, "person %d of street %d\n", i, i * 31 % 97);
    return text;
}

static void capitalize(char *text) {
    for (size_t i = 0; i < strlen(text); i++)
        if (islower((unsigned char)text[i]))
            text[i] = (char)toupper((unsigned char)text[i]);
}

static double time_of(int count) {
    char *text = read_names(count);
    double before = seconds();
    capitalize(text);
    double spent = seconds() - before;
    free(text);
    return spent;
}

int main(void) {
    int mailings = 0;
    double start = seconds(), spent = 0;
    while (seconds() - start < 2) {
        spent += time_of(3000);
        mailings++;
    }
    double wall = seconds() - start, half = 0;
    for (int i = 0; i < 4; i++)
        half += time_of(1500) / 4;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "capitals %.3f\nmailings %d\nhalf_takes %.2f\n", spent / wall, mailings, half / (spent / mailings));
    return fclose(truth);
}
