// A bottling line: the filler hands crates to the capper, and goes on when a crate has been capped.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t belt = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static pthread_cond_t capped = PTHREAD_COND_INITIALIZER;
static int on_belt, finished, ended;
static double waited;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

// Puts a crate onto the belt, waits until it has been capped, and fetches the next.
static void put_crate(void) {
    pthread_mutex_lock(&belt);
    on_belt++;
    while (on_belt > 0) pthread_cond_wait(&capped, &belt);
    pthread_mutex_unlock(&belt);
    struct timespec way = {0, 1000 * 1000};
    nanosleep(&way, NULL);
}

// Takes the next crate from the belt; 0 at the end of the day.
static int take_crate(void) {
    double before = now();
    pthread_mutex_lock(&belt);
    while (on_belt == 0 && !ended) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 40 * 1000 * 1000;
        if (until.tv_nsec >= 1000000000) { until.tv_sec++; until.tv_nsec -= 1000000000; }
        pthread_cond_timedwait(&arrived, &belt, &until);
    }
    int found = on_belt > 0;
    pthread_mutex_unlock(&belt);
    waited += now() - before;
    return found;
}

static void *cap(void *unused) {
    (void)unused;
    while (take_crate()) {
        for (volatile int bottle = 0; bottle < 12 * 1000; bottle++) {}
        pthread_mutex_lock(&belt);
        on_belt--;
        finished++;
        pthread_cond_signal(&capped);
        pthread_mutex_unlock(&belt);
    }
    return NULL;
}

int main(void) {
    pthread_t capper;
    double start = now();
    pthread_create(&capper, NULL, cap, NULL);
    while (now() - start < 2.0) put_crate();
    pthread_mutex_lock(&belt);
    ended = 1;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&belt);
    pthread_join(capper, NULL);
    double took = now() - start;
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "crates %d\nwaited %.3f\n", finished, waited / took);
    return fclose(truth);
}
