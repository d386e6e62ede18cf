// Finds the shop's stock of pigments in a table by article number and serves the day's price requests from it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 16384, ARTICLES = 6000 };

struct slot {
    uint32_t article;
    uint32_t cents;
};

static struct slot table[SLOTS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

// Article numbers are made of the maker (upper half) and the running number (lower half).
static uint32_t hash(uint32_t article) {
    return article & (SLOTS - 1);
}

__attribute__((noinline)) static struct slot *find_slot(uint32_t article) {
    uint32_t at = hash(article);
    while (table[at].article != 0 && table[at].article != article)
        at = (at + 1) & (SLOTS - 1);
    return &table[at];
}

__attribute__((noinline)) static unsigned long price_order(const uint32_t *articles, int count) {
    unsigned long cents = 0;
    for (int i = 0; i < count; i++)
        cents += find_slot(articles[i])->cents;
    return cents;
}

// Makers number their pigments from 1 up, so that few lower halves exist.
static uint32_t article_number(unsigned n) {
    return (n / 12 + 1) << 16 | (n % 12 + 1);
}

int main(void) {
    for (unsigned n = 0; n < ARTICLES; n++) {
        struct slot *slot = find_slot(article_number(n));
        slot->article = article_number(n);
        slot->cents = 150 + n % 900;
    }
    double start = now();
    unsigned long total = 0, orders = 0;
    uint32_t seed = 7, order[24];
    while (now() - start < 2.0) {
        for (int i = 0; i < 24; i++) {
            seed = seed * 1664525 + 1013904223;
            order[i] = article_number((seed >> 8) % ARTICLES);
        }
        total += price_order(order, 24);
        orders++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "orders %lu\ncents %lu\n", orders, total);
    fclose(truth);
    return 0;
}
