// Plans the loans of a museum: keeps the whole catalogue in memory, and lets "true" (the label printer) run per van.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CATALOGUE = 400 << 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static char *load_catalogue(void) {
    char *catalogue = mmap(NULL, CATALOGUE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(catalogue, CATALOGUE, MADV_NOHUGEPAGE);
    for (long at = 0; at < CATALOGUE; at += 4096) catalogue[at] = (char)(at >> 12 | 1);
    return catalogue;
}

static int print_label(const char *catalogue, int van) {
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/true", "true", NULL);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    return status + catalogue[van * 4096];
}

int main(void) {
    char *catalogue = load_catalogue();
    int vans = 0, sum = 0;
    for (double start = now(); now() - start < 2; vans++) sum += print_label(catalogue, vans);
    printf("%d vans, %d\n", vans, sum);
}
