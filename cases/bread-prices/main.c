// Adds up the sales of a bakery: each sale names a bread, whose price stands in a small price file of fixed lines.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BREADS = 3000, LINE = 32 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void write_prices(void) {
    FILE *file = fopen("prices.txt", "w");
    for (int bread = 0; bread < BREADS; bread++) fprintf(file, "bread %05d %-19d\n", bread, 180 + bread % 400);
    fclose(file);
}

static int price_of(FILE *prices, int bread) {
    char line[LINE + 1];
    fseek(prices, (long)bread * LINE, SEEK_SET);
    if (!fgets(line, sizeof line, prices)) exit(1);
    return atoi(line + 12);
}

static long add_sales(FILE *prices, unsigned *seed, int sales) {
    long sum = 0;
    while (sales--) {
        *seed = *seed * 1103515245u + 12345u;
        sum += price_of(prices, (*seed >> 8) % BREADS);
    }
    return sum;
}

int main(void) {
    write_prices();
    FILE *prices = fopen("prices.txt", "r");
    unsigned seed = 1;
    long sum = 0, sales = 0;
    for (double start = now(); now() - start < 2; sales += 1000) sum += add_sales(prices, &seed, 1000);
    printf("%ld sales, %ld cents\n", sales, sum);
}
