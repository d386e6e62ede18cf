// The producer puts an item and forgets to signal; the consumer finds it when its wait of 0.25 s runs out.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items, stop;

static void *producer(void *arg) {
    for (int full = 0;; full = 0) {
        pthread_mutex_lock(&lock);
        if (stop) break;
        full = items > 0;
        if (!full) items++;
        pthread_mutex_unlock(&lock);
        usleep(full ? 20000 : 1000);
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void take_item(void) {
    struct timespec until;
    pthread_mutex_lock(&lock);
    while (items == 0) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 250000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&not_empty, &lock, &until);
    }
    items--;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_setname_np(thread, "producer");
    int taken = 0;
    for (double start = now(); now() - start < 2.0; taken++) take_item();
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "taken %d\n", taken);
    fclose(truth);
}
