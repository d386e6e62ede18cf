/* Looks up cards in a register, each with a read that goes past the cache. After a while, an inventory begins. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CARD 4096
#define CARDS (64 << 8)
#define MOST 2000000

static double took[MOST];
static int reads;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int read_card(int file, long card, char *text)
{
    return pread(file, text, CARD, card * CARD) == CARD;
}

static unsigned species_of(const char *text)
{
    unsigned hash = 5381;
    for (int key = 0; key < 30; key++)
        for (int at = 0; at < CARD; at++)
            hash = hash * 33 + ((unsigned char)text[at] ^ key);
    return hash % 28000;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Returns how long reads took together. */
static double look_up_for(double seconds, int file, char *text, const char *when, FILE *truth)
{
    static unsigned species;
    double start = now(), sum = 0;
    int first = reads;
    while (now() - start < seconds && reads < MOST) {
        double before = now();
        if (!read_card(file, random() % CARDS, text))
            break;
        took[reads] = now() - before;
        sum += took[reads++];
        species ^= species_of(text);
    }
    int count = reads - first;
    qsort(took + first, count, sizeof *took, by_time);
    fprintf(truth, "us_%s %.0f\nreads_%s %d\n", when, 1e6 * took[first + count / 2], when, count);
    printf("%u\n", species);
    return sum;
}

int main(void)
{
    int file = open("disk/cards.dat", O_RDONLY | O_DIRECT);
    char *text = aligned_alloc(CARD, CARD);
    FILE *truth = fopen("truth", "w");
    if (file < 0 || !truth) {
        perror("disk/cards.dat");
        return 1;
    }
    srandom(3);
    double start = now();
    double sum = look_up_for(0.6, file, text, "alone", truth);
    fclose(fopen("go", "w"));
    sum += look_up_for(2, file, text, "beside_the_inventory", truth);
    remove("go");
    fprintf(truth, "part_of_the_time %.3f\n", sum / (now() - start));
    fclose(truth);
    return 0;
}
