/* The strokes of a mural, kept in an arena of its own with a list of free pieces, in the order of their addresses. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ARENA (24u << 20)
#define STROKES 60000

struct piece {
    size_t size;
    struct piece *next;
};

static char *arena;
static size_t arena_used;
static struct piece *free_list;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void *arena_alloc(size_t n)
{
    size_t size = (n + sizeof(size_t) + 15) & ~(size_t)15;
    for (struct piece **p = &free_list; *p; p = &(*p)->next) {
        if ((*p)->size >= size) {
            struct piece *found = *p;
            *p = found->next;
            return (char *)found + sizeof(size_t);
        }
    }
    if (arena_used + size > ARENA)
        return NULL;
    struct piece *fresh = (struct piece *)(arena + arena_used);
    arena_used += size;
    fresh->size = size;
    return (char *)fresh + sizeof(size_t);
}

static void arena_free(void *memory)
{
    struct piece *p = (struct piece *)((char *)memory - sizeof(size_t));
    struct piece **at = &free_list;
    while (*at && *at < p)
        at = &(*at)->next;
    p->next = *at;
    *at = p;
}

struct stroke {
    int points, color;
    short xy[];
};

static struct stroke *strokes[STROKES];

static unsigned random_number(void)
{
    static unsigned state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static struct stroke *draw(int points, int color)
{
    struct stroke *s = arena_alloc(sizeof *s + 2 * points * sizeof(short));
    if (!s) {
        fputs("the wall is full\n", stderr);
        exit(1);
    }
    s->points = points;
    s->color = color;
    for (int i = 0; i < points; i++) {
        s->xy[2 * i] = random_number() % 4000;
        s->xy[2 * i + 1] = random_number() % 1200;
    }
    return s;
}

static long length_of(const struct stroke *s)
{
    long sum = 0;
    for (int i = 1; i < s->points; i++)
        sum += abs(s->xy[2 * i] - s->xy[2 * i - 2]) + abs(s->xy[2 * i + 1] - s->xy[2 * i - 1]);
    return sum;
}

/* The first sketch: dots and short lines, of which most are painted over later. */
static void sketch(void)
{
    for (int i = 0; i < STROKES; i++)
        strokes[i] = draw(2 + random_number() % 5, 1);
    for (int i = STROKES; i-- > 0;) {
        if (random_number() % 10) {
            arena_free(strokes[i]);
            strokes[i] = NULL;
        }
    }
}

static long paint(double until)
{
    long painted = 0, ink = 0;
    struct stroke *outline[64] = { 0 };
    while (now() < until) {
        int i = random_number() % 64;
        if (outline[i]) {
            ink += length_of(outline[i]);
            arena_free(outline[i]);
        }
        /* outlines that come from the brush one after the other, all of them long */
        for (int k = 0; k < 6; k++) {
            struct stroke *hair = draw(40 + random_number() % 20, k);
            ink += length_of(hair);
            arena_free(hair);
            hair = draw(2, k);
            arena_free(hair);
        }
        outline[i] = draw(60 + random_number() % 60, 3);
        painted++;
    }
    printf("%ld outlines, %ld of ink\n", painted, ink);
    return painted;
}

int main(void)
{
    double start = now();
    arena = malloc(ARENA);
    if (!arena)
        return 1;
    sketch();
    paint(start + 2.0);
    return 0;
}
