// A producer passes one item at a time to a consumer and waits until it is taken: two sleeps and two
// wake-ups for each item of a microsecond.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, stop;
static long passed;

static void pass_item(void) {
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_signal(&changed);
    while (full) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *consumer(void *arg) {
    pthread_mutex_lock(&lock);
    for (;; full = 0, passed++, pthread_cond_signal(&changed)) {
        while (!full && !stop) pthread_cond_wait(&changed, &lock);
        if (stop) break;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    pthread_setname_np(thread, "consumer");
    for (double start = now(); now() - start < 1.5;) pass_item();
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "items %ld\n", passed);
    fclose(truth);
}
