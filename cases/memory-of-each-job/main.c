/* A job runner that notes the memory in use after each job, from /proc/self/smaps. The jobs use many small mappings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { AREAS = 4000, SIZE = 16384 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void make_areas(char **areas)
{
    for (int i = 0; i < AREAS; i++) {
        areas[i] = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (i % 2)
            mprotect(areas[i], 4096, PROT_READ);
        areas[i][8192] = 1;
    }
}

__attribute__((noinline)) static unsigned long do_job(char **areas, unsigned job)
{
    unsigned long sum = 0;
    for (int i = 0; i < 200; i++) {
        char *area = areas[(job * 200 + i) % AREAS];
        area[8192 + i] += 1;
        sum += area[8192 + i];
    }
    return sum;
}

__attribute__((noinline)) static long resident_kilobytes(void)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[300];
    long kilobytes = 0, one;
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "Rss: %ld kB", &one) == 1)
            kilobytes += one;
    fclose(maps);
    return kilobytes;
}

int main(void)
{
    static char *areas[AREAS];
    make_areas(areas);
    double start = now(), measuring = 0;
    unsigned jobs = 0;
    long highest = 0;
    while (now() - start < 2.0) {
        do_job(areas, jobs++);
        double before = now();
        long used = resident_kilobytes();
        measuring += now() - before;
        if (used > highest)
            highest = used;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "jobs %u\nmeasuring %.3f\nhighest %ld\n", jobs, measuring / (now() - start), highest);
    return fclose(truth);
}
