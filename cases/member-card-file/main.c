/* A club's member file: fixed records of 32 bytes. Adds up the fees of all members, as of a given year. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct member {
    uint32_t number, fee;
    uint16_t joined, left;
    char name[20];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fill(const char *path, long members)
{
    FILE *file = fopen(path, "wb");
    for (long n = 0; n < members; n++) {
        struct member m = {.number = n, .fee = 1000 + n * 7 % 900, .joined = 1960 + n % 60, .left = n % 3 ? 0 : 2010};
        snprintf(m.name, sizeof m.name, "member %ld", n);
        fwrite(&m, sizeof m, 1, file);
    }
    fclose(file);
}

__attribute__((noinline)) static int read_member(FILE *file, long number, struct member *m)
{
    fseek(file, number * (long)sizeof *m, SEEK_SET);
    return fread(m, sizeof *m, 1, file) == 1;
}

__attribute__((noinline)) static unsigned long fees_of_year(FILE *file, int year)
{
    unsigned long sum = 0;
    struct member m;
    for (long n = 0; read_member(file, n, &m); n++)
        if (m.joined <= year && (!m.left || m.left > year))
            sum += m.fee;
    return sum;
}

int main(void)
{
    const long members = 40000;
    fill("members.dat", members);
    FILE *file = fopen("members.dat", "rb");
    double start = now();
    unsigned long sum = 0;
    int years = 0;
    while (now() - start < 2.0)
        sum += fees_of_year(file, 1965 + years++ % 55);
    fclose(file);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "years %d\nrecords_per_second %.0f\nsum %lu\n", years, years * members / (now() - start), sum);
    return fclose(truth);
}
