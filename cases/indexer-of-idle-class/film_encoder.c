/* Encodes a film: computes without an end. Two of these take one CPU each. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>

static unsigned encode_picture(unsigned number) {
    unsigned bits = number;
    for (int i = 0; i < 1000000; i++)
        bits = (bits ^ bits >> 7) * 2654435761u + i;
    return bits;
}

/* The first of the encoders makes the file "first", and takes the first CPU; the other one takes the second. */
static void choose_cpu(void) {
    cpu_set_t all, own;
    FILE *first = fopen("first", "wx");
    int wanted = first ? 0 : 1;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && found++ <= wanted) {
            CPU_ZERO(&own);
            CPU_SET(cpu, &own);
        }
    sched_setaffinity(0, sizeof own, &own);
    if (first)
        fclose(first);
}

int main(void) {
    choose_cpu();
    FILE *ready = fopen("ready", "w");
    if (ready)
        fclose(ready);
    volatile unsigned film = 0;
    for (unsigned number = 0;; number++)
        film += encode_picture(number);
}
