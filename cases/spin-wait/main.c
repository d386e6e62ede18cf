// The consumer burns a CPU while it waits for items that a producer delivers every 20 ms.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static atomic_int delivered, stop;

static void *producer(void *arg) {
    while (!stop) usleep(20000), delivered++;
    return arg;
}

static void wait_for_item(int number) {
    while (delivered < number) {}
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_setname_np(thread, "producer");
    int items = 0;
    for (double start = now(); now() - start < 1.5;) wait_for_item(++items);
    stop = 1;
    pthread_join(thread, NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "items %d\n", items);
    fclose(truth);
}
