// An event loop hands jobs to a worker thread. The worker leaves its results in a queue and wakes nobody.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

static sem_t jobs;
static _Atomic int results;
static _Atomic long finished_ns;
static volatile unsigned sum;

static long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void compress_page(void) {
    for (long until = now_ns() + 2000000; now_ns() < until;)
        for (int n = 0; n < 1000; n++) sum = sum * 31 + n;
}

static void *work(void *unused) {
    for (;;) {
        sem_wait(&jobs);
        compress_page();
        finished_ns = now_ns();
        results++;
    }
    return unused;
}

static long run_loop(int events, int *taken) {
    struct epoll_event event;
    long unnoticed = 0, start = now_ns();
    sem_post(&jobs);
    while (now_ns() - start < 2000000000L) {
        epoll_wait(events, &event, 1, 40);
        if (results > 0) {
            unnoticed += now_ns() - finished_ns;
            results--;
            ++*taken;
            sem_post(&jobs);
        }
    }
    return unnoticed;
}

int main(void) {
    pthread_t worker;
    sem_init(&jobs, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    struct epoll_event event = {.events = EPOLLIN};
    int events = epoll_create1(0), requests = eventfd(0, 0), taken = 0;
    epoll_ctl(events, EPOLL_CTL_ADD, requests, &event);
    long start = now_ns(), unnoticed = run_loop(events, &taken);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\njobs %d\n", (double)unnoticed / (now_ns() - start), taken);
    fclose(truth);
}
