// Two threads take turns, as a game wants it: one computes its move for 20 ms while the other waits.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int turn, moves;

static void compute_move(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    double until = t.tv_sec + t.tv_nsec * 1e-9 + 0.02;
    while (t.tv_sec + t.tv_nsec * 1e-9 < until) {
        for (volatile int position = 0; position < 200000; position++) {}
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    }
}

static void *play(void *arg) {
    int me = (long)arg;
    pthread_mutex_lock(&board);
    while (moves < 80) {
        while (turn != me && moves < 80) pthread_cond_wait(&moved, &board);
        compute_move();
        moves++;
        turn = 1 - me;
        pthread_cond_signal(&moved);
    }
    pthread_mutex_unlock(&board);
    return NULL;
}

int main(void) {
    pthread_t players[2];
    for (long n = 0; n < 2; n++) pthread_create(&players[n], NULL, play, (void *)n);
    pthread_setname_np(players[0], "white");
    pthread_setname_np(players[1], "black");
    for (int n = 0; n < 2; n++) pthread_join(players[n], NULL);
}
