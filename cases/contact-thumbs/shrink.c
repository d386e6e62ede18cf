/* Makes a small picture of a large one: shrink SEED. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static unsigned pixel(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 24;
}

int main(int argc, char **argv)
{
    unsigned state = argc > 1 ? (unsigned)atoi(argv[1]) : 1, small[64] = {0};
    double until = now() + 0.033;
    do
        for (int i = 0; i < 64 * 64; i++)
            small[i % 64] = (small[i % 64] * 3 + pixel(&state)) / 4;
    while (now() < until);
    printf("%u\n", small[7]);
    return 0;
}
