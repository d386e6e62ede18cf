/* A proof printer: the press thread exposes the plates, the desk waits for each and shows a line
   about it. The desk wakes up after a tenth of a second to move its progress bar. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t exposed = PTHREAD_COND_INITIALIZER;
static int plates_done, plates_wanted, finished;
static long bar_moves;

static struct timespec after_ms(long ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* The lamp needs its time; nothing is computed meanwhile. */
static void expose_plate(void)
{
    struct timespec lamp = {0, 180 * 1000000};
    nanosleep(&lamp, NULL);
}

static void *press(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!finished) {
        if (plates_wanted == plates_done) {
            pthread_mutex_unlock(&mutex);
            usleep(1000);
            pthread_mutex_lock(&mutex);
            continue;
        }
        pthread_mutex_unlock(&mutex);
        expose_plate();
        pthread_mutex_lock(&mutex);
        plates_done++;
        pthread_cond_signal(&exposed);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void move_bar(int plate)
{
    bar_moves++;
    if (bar_moves % 100000 == 0)
        printf("plate %d ...\n", plate);
}

static void await_plate(int plate)
{
    pthread_mutex_lock(&mutex);
    plates_wanted = plate;
    while (plates_done < plate) {
        struct timespec limit = after_ms(100);
        if (pthread_cond_timedwait(&exposed, &mutex, &limit) == ETIMEDOUT)
            move_bar(plate);
    }
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, press, NULL);
    for (int plate = 1; plate <= 11; plate++) {
        await_plate(plate);
        printf("plate %d exposed\n", plate);
    }
    pthread_mutex_lock(&mutex);
    finished = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    printf("%ld moves of the bar\n", bar_moves);
    return 0;
}
