/* Runs the sessions of a terminal server: each has a thread that keeps its line alive, and is closed in order. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct session {
    int number;
    unsigned digest;
    atomic_int closing;
    int wake[2];
    pthread_t keeper;
};

static double waited;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void *keep_alive(void *argument)
{
    struct session *session = argument;
    char word;
    while (read(session->wake[0], &word, 1) == 1)
        if (atomic_load(&session->closing) && word == 'q')
            break;
    return NULL;
}

static void serve(struct session *session)
{
    unsigned x = session->number;
    for (int i = 0; i < 3000000; i++)
        x = x * 1664525 + 1013904223;
    session->digest = x;
}

static void close_session(struct session *session)
{
    atomic_store(&session->closing, 1);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 250000000;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    double before = now();
    if (pthread_timedjoin_np(session->keeper, NULL, &limit)) {
        pthread_cancel(session->keeper);
        pthread_join(session->keeper, NULL);
    }
    waited += now() - before;
    close(session->wake[0]);
    close(session->wake[1]);
}

int main(void)
{
    double start = now();
    int sessions = 0;
    while (now() - start < 2) {
        struct session session = {.number = sessions++};
        if (pipe(session.wake) || pthread_create(&session.keeper, NULL, keep_alive, &session))
            return 1;
        serve(&session);
        close_session(&session);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nsessions %d\n", waited / (now() - start), sessions);
    fclose(truth);
    return 0;
}
