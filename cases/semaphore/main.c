// Six workers call a service that allows one call at a time; a call takes 15 ms.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static sem_t permits;
static double start, waited[6];

static void acquire_permit(void) { sem_wait(&permits); }

static void call_service(void) { usleep(15000); }

static void *worker(void *arg) {
    while (now() - start < 1.5) {
        double before = now();
        acquire_permit();
        *(double *)arg += now() - before;
        call_service();
        sem_post(&permits);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[6];
    double sum = 0;
    sem_init(&permits, 0, 1);
    start = now();
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof name, "caller-%d", i);
        pthread_create(&threads[i], NULL, worker, &waited[i]);
        pthread_setname_np(threads[i], name);
    }
    for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL), sum += waited[i];
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "waiting_per_worker %.3f\n", sum / 6 / (now() - start));
    fclose(truth);
}
