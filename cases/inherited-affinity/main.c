// Binds the main thread to one CPU, for its caches, and then starts workers.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 4 };
static unsigned long sums[WORKERS], blocks[WORKERS], waited[WORKERS];
static double start;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void bind_to_one_cpu(void) {
    cpu_set_t allowed, one;
    sched_getaffinity(0, sizeof allowed, &allowed);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void hash_block(int worker) {
    for (int n = 0; n < 100000; n++) sums[worker] = sums[worker] * 31 + (sums[worker] >> 7) + n;
    blocks[worker]++;
}

static void *work(void *argument) {
    int worker = (int)(long)argument;
    while (now() - start < 2.0) hash_block(worker);
    unsigned long ran;
    FILE *times = fopen("/proc/thread-self/schedstat", "r");
    if (fscanf(times, "%lu %lu", &ran, &waited[worker]) != 2) _exit(1);
    fclose(times);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    bind_to_one_cpu();
    start = now();
    for (long n = 0; n < WORKERS; n++) pthread_create(&threads[n], NULL, work, (void *)n);
    for (int n = 0; n < WORKERS; n++) pthread_join(threads[n], NULL);
    double wall = now() - start, sum = 0;
    for (int n = 0; n < WORKERS; n++) sum += waited[n] * 1e-9;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "waited_for_cpu_of_each %.3f\nblocks %lu\n", sum / wall / WORKERS, blocks[0] + blocks[1] + blocks[2] + blocks[3]);
    fclose(truth);
}
