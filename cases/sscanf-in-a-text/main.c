// Reads the prices of a catalogue that is in memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static char *make_catalogue(int prices) {
    char *text = malloc(prices * 8 + 1), *end = text;
    for (int n = 0; n < prices; n++) end += sprintf(end, "%d\n", 100000 + n % 900000);
    return text;
}

static long parse_prices(const char *text) {
    long sum = 0;
    int price, length;
    while (sscanf(text, "%d\n%n", &price, &length) == 1) {
        sum += price;
        text += length;
    }
    return sum;
}

static double time_of(int prices) {
    char *text = make_catalogue(prices);
    double before = now();
    long sum = parse_prices(text);
    free(text);
    return sum ? now() - before : 0;
}

int main(void) {
    double half = time_of(20000), whole = time_of(40000), start = now();
    int catalogues = 0;
    while (now() - start < 1.5) {
        time_of(40000);
        catalogues++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "catalogues %d\ntimes_for_twice_as_many %.2f\n", catalogues, whole / half);
    fclose(truth);
}
