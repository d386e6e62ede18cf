// Primes one wall after the other. Each is 64 MB of new memory, of which a byte in every 2 MB is used.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { WALL = 64 << 20, STONE = 2 << 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int prime_wall(int number) {
    char *wall = mmap(NULL, WALL + STONE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (wall == MAP_FAILED) return 1;
    char *first = wall + (STONE - (unsigned long)wall % STONE) % STONE;
    madvise(first, WALL, MADV_HUGEPAGE);
    for (int stone = 0; stone < WALL; stone += STONE) first[stone] = number;
    return munmap(wall, WALL + STONE);
}

int main(void) {
    double start = now();
    int walls = 0;
    while (now() - start < 2)
        if (prime_wall(walls++)) return 1;
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double system = used.ru_stime.tv_sec + used.ru_stime.tv_usec * 1e-6;
    double user = used.ru_utime.tv_sec + used.ru_utime.tv_usec * 1e-6;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "walls %d\nfaults_per_wall %.1f\nsystem_time %.3f\n", walls, used.ru_minflt / (double)walls,
            system / (system + user));
    fclose(truth);
}
