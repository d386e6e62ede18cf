/* An atlas that can undo: before each step all pages are write-protected; the first write to a page copies it (SIGSEGV). */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 2000, PAGE = 4096 };
static char *atlas, *before_step;
static volatile unsigned long saved;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void save_page(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    size_t page = ((uintptr_t)info->si_addr - (uintptr_t)atlas) / PAGE;
    if (page >= PAGES)
        abort();
    memcpy(before_step + page * PAGE, atlas + page * PAGE, PAGE);
    mprotect(atlas + page * PAGE, PAGE, PROT_READ | PROT_WRITE);
    saved++;
}

__attribute__((noinline)) static void begin_step(void)
{
    mprotect(atlas, (size_t)PAGES * PAGE, PROT_READ);
}

__attribute__((noinline)) static void draw_rivers(unsigned step)
{
    for (int i = 0; i < PAGES; i++)
        atlas[(size_t)(i * 7 % PAGES) * PAGE + step % PAGE] += 1;
}

int main(void)
{
    atlas = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    before_step = malloc((size_t)PAGES * PAGE);
    memset(atlas, 1, (size_t)PAGES * PAGE);
    memset(before_step, 1, (size_t)PAGES * PAGE);
    struct sigaction action = {.sa_sigaction = save_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    double start = now();
    unsigned steps = 0;
    while (now() - start < 2.0) {
        begin_step();
        draw_rivers(steps++);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "steps %u\nsaved_pages %lu\n", steps, saved);
    return fclose(truth);
}
