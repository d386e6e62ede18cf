// Looks up words in a mapped file that is not in the page cache: each look-up is a major page fault.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 65536 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int look_up(const volatile char *index, unsigned word) { return index[(size_t)(word % PAGES) * PAGE]; }

int main(void) {
    int file = open("index.dat", O_RDONLY), sum = 0;
    char *index = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ, MAP_SHARED, file, 0);
    madvise(index, (size_t)PAGES * PAGE, MADV_RANDOM);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    unsigned word = 1;
    for (double start = now(); now() - start < 1.5;) sum += look_up(index, (word = word * 1103515245u + 12345u) >> 8);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "major_faults %ld\nsum %d\n", usage.ru_majflt, sum);
    fclose(truth);
}
