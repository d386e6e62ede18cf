// A queue whose condition is broadcast for every job, to a hundred workers of which one gets it.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { WORKERS = 100 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_there = PTHREAD_COND_INITIALIZER, job_done = PTHREAD_COND_INITIALIZER;
static int waiting_jobs, open_jobs, stopping;
static long wakeups;
static volatile unsigned result;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int take_job(void) {
    pthread_mutex_lock(&mutex);
    while (waiting_jobs == 0 && !stopping) {
        pthread_cond_wait(&job_there, &mutex);
        wakeups++;
    }
    int got = waiting_jobs > 0;
    waiting_jobs -= got;
    pthread_mutex_unlock(&mutex);
    return got;
}

static void do_job(void) {
    for (int n = 0; n < 5000; n++) result = result * 31 + n;
    pthread_mutex_lock(&mutex);
    open_jobs--;
    pthread_cond_signal(&job_done);
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused) {
    while (take_job()) do_job();
    return unused;
}

static void give_job(void) {
    pthread_mutex_lock(&mutex);
    waiting_jobs++;
    open_jobs++;
    pthread_cond_broadcast(&job_there);
    while (open_jobs > 0) pthread_cond_wait(&job_done, &mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t workers[WORKERS];
    long jobs = 0;
    for (int n = 0; n < WORKERS; n++) pthread_create(&workers[n], NULL, work, NULL);
    for (double start = now(); now() - start < 2.0; jobs++) give_job();
    pthread_mutex_lock(&mutex);
    stopping = 1;
    pthread_cond_broadcast(&job_there);
    pthread_mutex_unlock(&mutex);
    for (int n = 0; n < WORKERS; n++) pthread_join(workers[n], NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "jobs %ld\nwakeups_per_job %.1f\n", jobs, (double)wakeups / jobs);
    fclose(truth);
}
