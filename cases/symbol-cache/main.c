/* Attributes samples of a profile to the pages of a program; a small hash table keeps what is known of each page. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 1 << 14, PAGES = 6000 };

struct page {
    uint64_t address;
    unsigned samples;
};

static struct page table[SLOTS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned slot_of(uint64_t address)
{
    return (unsigned)(address ^ address >> 32) & (SLOTS - 1);
}

static struct page *page_at(uint64_t address)
{
    unsigned i = slot_of(address);
    while (table[i].address && table[i].address != address)
        i = (i + 1) & (SLOTS - 1);
    table[i].address = address;
    return &table[i];
}

static uint64_t sample_address(unsigned *seed)
{
    uint64_t page = rand_r(seed) % PAGES;
    return 0x7f3a40000000ull + (page << 12) + rand_r(seed) % 4096;
}

static void attribute(unsigned *seed)
{
    uint64_t address = sample_address(seed);
    page_at(address & ~0xfffull)->samples++;
}

int main(void)
{
    unsigned seed = 11;
    double start = now();
    long samples = 0;
    while (now() - start < 2) {
        for (int i = 0; i < 100; i++)
            attribute(&seed);
        samples += 100;
    }
    unsigned hottest = 0;
    for (int i = 0; i < SLOTS; i++)
        if (table[i].samples > table[hottest].samples)
            hottest = i;
    printf("%ld samples, hottest page %#lx with %u\n", samples, (unsigned long)table[hottest].address, table[hottest].samples);
    return 0;
}
