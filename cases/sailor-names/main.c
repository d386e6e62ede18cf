// Counts how often each sailor is named in the crew lists of a harbour.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOMS = 65536, SAILORS = 20000 };

struct sailor {
    struct sailor *next;
    int voyages;
    char name[20];
};

static struct sailor *table[ROOMS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned hash_name(const char *name) {
    unsigned hash = 0;
    while (*name) hash += (unsigned char)*name++;
    return hash % ROOMS;
}

static struct sailor *find_sailor(const char *name) {
    unsigned hash = hash_name(name);
    for (struct sailor *s = table[hash]; s; s = s->next)
        if (strcmp(s->name, name) == 0) return s;
    struct sailor *s = calloc(1, sizeof *s);
    strcpy(s->name, name);
    s->next = table[hash];
    return table[hash] = s;
}

static void count_voyage(unsigned number) {
    char name[20];
    snprintf(name, sizeof name, "sailor-%05u", number % SAILORS);
    find_sailor(name)->voyages++;
}

int main(void) {
    unsigned seed = 7;
    long voyages = 0;
    for (double start = now(); now() - start < 2;)
        for (int n = 0; n < 1000; n++, voyages++) count_voyage((seed = seed * 1103515245u + 12345u) >> 8);
    printf("%ld voyages\n", voyages);
}
