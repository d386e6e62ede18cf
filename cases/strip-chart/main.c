// Four probes write into one strip chart on disk. Each sector of the chart is guarded by an open-file-description
// lock, so that viewers in other processes never see half of it. The summary behind the header is made anew from the
// whole sector with each batch.
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROBES 4
#define SECTOR (256 * 1024)
#define BATCH 64

typedef struct { pthread_t thread; int number; double waited, held; long batches; } Probe;
static const char *chart = "oven.chart";
static double deadline;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static void set_lock(int file, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = SECTOR};
    if (fcntl(file, F_OFD_SETLKW, &lock)) { perror(chart); exit(1); }
}

static void measure(float *values, int number, long batch) {
    for (int i = 0; i < BATCH; i++) values[i] = 180 + 20 * sinf(number + batch * 0.01f + i * 0.1f);
}

static void update_summary(int file, float *sector) {
    pread(file, sector, SECTOR, 0);
    double sum = 0, sum2 = 0;
    for (int round = 0; round < 12; round++)
        for (size_t i = 16; i < SECTOR / sizeof(float); i++) { sum += sector[i]; sum2 += sqrt(fabs(sector[i]) + round); }
    double summary[2] = {sum, sum2};
    pwrite(file, summary, sizeof summary, 0);
}

static __attribute__((noinline)) void store_batch(Probe *probe, int file, const float *values, float *sector) {
    double before = now();
    set_lock(file, F_WRLCK);
    double locked = now();
    pwrite(file, values, BATCH * sizeof(float), 64 + (probe->batches * PROBES + probe->number) % 900 * BATCH * sizeof(float));
    update_summary(file, sector);
    probe->waited += locked - before;
    probe->held += now() - locked;
    set_lock(file, F_UNLCK);
    probe->batches++;
}

static void *run_probe(void *argument) {
    Probe *probe = argument;
    float values[BATCH], *sector = malloc(SECTOR);
    int file = open(chart, O_RDWR);
    while (now() < deadline) {
        measure(values, probe->number, probe->batches);
        store_batch(probe, file, values, sector);
    }
    close(file);
    free(sector);
    return NULL;
}

int main(void) {
    Probe probes[PROBES] = {0};
    int file = open(chart, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ftruncate(file, SECTOR)) { perror(chart); return 1; }
    close(file);
    deadline = now() + 2;
    double waited = 0;
    for (int i = 0; i < PROBES; i++) {
        probes[i].number = i;
        pthread_create(&probes[i].thread, NULL, run_probe, &probes[i]);
    }
    for (int i = 0; i < PROBES; i++) {
        pthread_join(probes[i].thread, NULL);
        printf("probe %d: %ld batches, waited %.2f s for the lock, held it %.2f s\n", i, probes[i].batches, probes[i].waited, probes[i].held);
        waited += probes[i].waited;
    }
    printf("%.2f of the probes' time was spent in line\n", waited / (2 * PROBES));
    return 0;
}
