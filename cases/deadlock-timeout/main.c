// Two threads move money between two accounts and lock them in opposite order; each gives up after 0.5 s.
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

static pthread_mutex_t accounts[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static double start;
static int gave_up[2];

static int lock_other(pthread_mutex_t *account) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_mutex_timedlock(account, &until) == 0;
}

static int transfer(int from, int to) {
    pthread_mutex_lock(&accounts[from]);
    usleep(20000);
    int locked = lock_other(&accounts[to]);
    if (locked) pthread_mutex_unlock(&accounts[to]);
    pthread_mutex_unlock(&accounts[from]);
    return locked;
}

static void *clerk(void *arg) {
    int from = (long)arg;
    while (now() - start < 2.0) gave_up[from] += !transfer(from, 1 - from);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    start = now();
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, clerk, (void *)i);
    pthread_setname_np(threads[0], "clerk-0");
    pthread_setname_np(threads[1], "clerk-1");
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "gave_up %d\nseconds %.3f\n", gave_up[0] + gave_up[1], now() - start);
    fclose(truth);
}
