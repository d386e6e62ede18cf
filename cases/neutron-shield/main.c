// How many neutrons come through a shield: each thread follows its own, with the C library's random numbers.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WORKERS 4

typedef struct { pthread_t thread; long sent, passed; double absorbed; } Worker;
static double deadline;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static double uniform(void) { return (random() + 1.0) / 2147483649.0; }

static __attribute__((noinline)) int send_neutron(Worker *worker, double thickness) {
    double x = 0, direction = 1;
    for (;;) {
        x += direction * uniform();
        if (x < 0) return 0;
        if (x > thickness) return 1;
        if (uniform() < 0.1) { worker->absorbed += 1; return 0; }
        direction = 2 * uniform() - 1;
    }
}

static void *work(void *argument) {
    Worker *worker = argument;
    while (now() < deadline)
        for (int i = 0; i < 200; i++) {
            worker->passed += send_neutron(worker, 3.0);
            worker->sent++;
        }
    return NULL;
}

int main(void) {
    Worker workers[WORKERS] = {0};
    long sent = 0, passed = 0;
    srandom(1938);
    deadline = now() + 2;
    for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        sent += workers[i].sent;
        passed += workers[i].passed;
    }
    printf("%ld of %ld neutrons came through\n", passed, sent);
    return 0;
}
