// Picks the songs for a radio programme. The station's rules may be edited at any time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct rules {
    const char *file;
    struct timespec read_at;
    int value;
};

static struct rules rules[] = {{"rules-artist.conf", {0, 0}, 0}, {"rules-genre.conf", {0, 0}, 0},
                               {"rules-hour.conf", {0, 0}, 0}};
static unsigned long asked;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int edited(struct rules *r) {
    struct stat s;
    asked++;
    if (stat(r->file, &s) != 0) return 0;
    return s.st_mtim.tv_sec != r->read_at.tv_sec || s.st_mtim.tv_nsec != r->read_at.tv_nsec;
}

static void read_rules(struct rules *r) {
    struct stat s;
    FILE *file = fopen(r->file, "r");
    if (!file) return;
    if (fscanf(file, "gap %d", &r->value) != 1) r->value = 1;
    if (fstat(fileno(file), &s) == 0) r->read_at = s.st_mtim;
    fclose(file);
}

static int rule(int which) {
    if (edited(&rules[which])) read_rules(&rules[which]);
    return rules[which].value;
}

static int suits(int song, int last) {
    return abs(song % 40 - last % 40) >= rule(0) && song % 7 != last % 7 + rule(1) && song % 24 >= rule(2);
}

int main(void) {
    double start = now();
    for (int n = 0; n < 3; n++) {
        FILE *file = fopen(rules[n].file, "w");
        if (!file) return 1;
        fprintf(file, "gap %d\n", n + 1);
        fclose(file);
    }
    unsigned long played = 0, tried = 0;
    int last = 0;
    while (now() - start < 2.0) {
        int song = (int)(tried++ * 7919 % 5003);
        if (suits(song, last)) {
            last = song;
            played++;
        }
    }
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "tried %lu\nplayed %lu\nasked %lu\n", tried, played, asked);
    return fclose(truth);
}
