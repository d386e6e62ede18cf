/* Reads the votes of all cantons from one large text, in place, and adds them up by list and by canton. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOTS = 4096, LINES = 400000 };

struct total {
    const char *name;
    uint32_t length, hash;
    uint64_t votes, lines;
};

struct table {
    struct total slots[SLOTS];
    unsigned used;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static char *make_text(size_t *size)
{
    static const char *const lists[] = {"lake", "forest", "meadow", "rock", "glacier", "brook", "orchard"};
    char *text = malloc((size_t)LINES * 48);
    if (!text)
        exit(1);
    char *p = text;
    uint32_t s = 99;
    for (int i = 0; i < LINES; i++) {
        s = s * 1664525u + 1013904223u;
        p += sprintf(p, "canton-%02u;town-%04u;%s;%u\n", s >> 27, s >> 8 & 2047, lists[(s >> 20) % 7], s >> 12 & 4095);
    }
    *size = (size_t)(p - text);
    return text;
}

static const char *field(const char *p, char end, uint32_t *length, uint32_t *hash)
{
    const char *start = p;
    uint32_t h = 2166136261u;
    while (*p != end)
        h = (h ^ (uint8_t)*p++) * 16777619u;
    *length = (uint32_t)(p - start);
    *hash = h;
    return p + 1;
}

static const char *number(const char *p, uint64_t *value)
{
    uint64_t v = 0;
    while (*p >= '0' && *p <= '9')
        v = v * 10 + (uint64_t)(*p++ - '0');
    *value = v;
    return p + 1;
}

static struct total *find(struct table *t, const char *name, uint32_t length, uint32_t hash)
{
    for (uint32_t at = hash ^ hash >> 15;; at++) {
        struct total *s = &t->slots[at % SLOTS];
        if (!s->name) {
            *s = (struct total){name, length, hash, 0, 0};
            t->used++;
            return s;
        }
        if (s->hash == hash && s->length == length && !memcmp(s->name, name, length))
            return s;
    }
}

static void count(const char *p, const char *end, struct table *cantons, struct table *towns, struct table *lists)
{
    while (p < end) {
        const char *canton = p;
        uint32_t cl, ch, tl, th, ll, lh;
        const char *town = p = field(p, ';', &cl, &ch);
        const char *list = p = field(p, ';', &tl, &th);
        p = field(p, ';', &ll, &lh);
        uint64_t votes;
        p = number(p, &votes);
        struct total *totals[] = {find(cantons, canton, cl, ch), find(towns, town, tl, th), find(lists, list, ll, lh)};
        for (int i = 0; i < 3; i++)
            totals[i]->votes += votes, totals[i]->lines++;
    }
}

static int by_votes(const void *a, const void *b)
{
    const struct total *x = a, *y = b;
    return (x->votes < y->votes) - (x->votes > y->votes);
}

static void report(struct table *t, const char *title)
{
    struct total *all = calloc(SLOTS, sizeof *all);
    unsigned n = 0;
    for (int i = 0; all && i < SLOTS; i++)
        if (t->slots[i].name)
            all[n++] = t->slots[i];
    if (n)
        qsort(all, n, sizeof *all, by_votes);
    printf("%s: %u, first %.*s with %llu\n", title, n, all ? (int)all->length : 0, all ? all->name : "",
           all ? (unsigned long long)all->votes : 0);
    free(all);
}

int main(void)
{
    size_t size;
    double start = now();
    char *text = make_text(&size);
    struct table *cantons = calloc(3, sizeof *cantons), *towns = cantons + 1, *lists = cantons + 2;
    if (!cantons)
        return 1;
    unsigned passes = 0;
    while (now() - start < 2) {
        memset(cantons, 0, 3 * sizeof *cantons);
        count(text, text + size, cantons, towns, lists);
        passes++;
    }
    report(cantons, "cantons");
    report(towns, "towns");
    report(lists, "lists");
    printf("%u recounts of %zu bytes\n", passes, size);
    return 0;
}
