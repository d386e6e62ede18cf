/* Filters the samples of alarm sensors by small programs, which are made into machine code and changed as limits drift. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SENSORS = 48, SLOT = 64, BATCH = 64 };

typedef int (*filter)(int value);

struct sensor {
    int low, high;
    unsigned seed, alarms;
};

static uint8_t *code;
static size_t code_size;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* xor eax,eax; cmp edi,low; jl hit; cmp edi,high; jg hit; ret; hit: inc eax; ret */
static size_t assemble(uint8_t *at, int low, int high)
{
    static const uint8_t form[] = {0x31, 0xc0, 0x81, 0xff, 0, 0, 0, 0, 0x7c, 0x09, 0x81, 0xff, 0, 0, 0, 0, 0x7f, 0x01, 0xc3, 0xff, 0xc0, 0xc3};
    memcpy(at, form, sizeof form);
    memcpy(at + 4, &low, 4);
    memcpy(at + 12, &high, 4);
    return sizeof form;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Code is never writable and executable at the same time. */
static void patch_filter(int n, int low, int high)
{
    if (mprotect(code, code_size, PROT_READ | PROT_WRITE))
        fail("mprotect");
    assemble(code + n * SLOT, low, high);
    if (mprotect(code, code_size, PROT_READ | PROT_EXEC))
        fail("mprotect");
}

static int sample(struct sensor *s)
{
    s->seed = s->seed * 1664525u + 1013904223u;
    return (int)(s->seed >> 20) - 2048;
}

static void watch(struct sensor *s, int n)
{
    filter f;
    void *at = code + n * SLOT;
    memcpy(&f, &at, sizeof f);
    int sum = 0;
    for (int i = 0; i < BATCH; i++) {
        int v = sample(s);
        s->alarms += (unsigned)f(v);
        sum += v;
    }
    int drift = sum / BATCH / 16;
    s->low += drift - (s->low + 1900) / 8;
    s->high += drift - (s->high - 1900) / 8;
    patch_filter(n, s->low, s->high);
}

int main(void)
{
    long page = sysconf(_SC_PAGESIZE);
    code_size = (size_t)page * ((SENSORS * SLOT + page - 1) / page);
    code = mmap(NULL, code_size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        fail("mmap");
    struct sensor sensors[SENSORS];
    for (int n = 0; n < SENSORS; n++) {
        sensors[n] = (struct sensor){-1900, 1900, (unsigned)n * 977 + 1, 0};
        patch_filter(n, -1900, 1900);
    }
    double start = now();
    unsigned long rounds = 0, alarms = 0;
    while (now() - start < 2) {
        for (int n = 0; n < SENSORS; n++)
            watch(&sensors[n], n);
        rounds++;
    }
    for (int n = 0; n < SENSORS; n++)
        alarms += sensors[n].alarms;
    printf("%lu rounds, %lu alarms\n", rounds, alarms);
    return 0;
}
