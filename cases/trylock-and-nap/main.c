/* A shop: the desk enters its sales into a book, in which an accountant adds up the day now and then. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static long sales[4096], total;
static int entered, in_vain;
static atomic_int closed;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void add_up_day(void) {
    double until = seconds() + 0.045;
    while (seconds() < until)
        for (int i = 0; i < 4096; i++)
            total = (total * 31 + sales[i]) % 1000003;
}

static void *accountant(void *unused) {
    while (!closed) {
        pthread_mutex_lock(&book);
        add_up_day();
        pthread_mutex_unlock(&book);
        usleep(15000);
    }
    return unused;
}

static void take_book(void) {
    while (pthread_mutex_trylock(&book) != 0) {
        in_vain++;
        usleep(20000);
    }
}

static double sell(long cents) {
    double before = seconds();
    take_book();
    double waited = seconds() - before;
    sales[entered++ % 4096] = cents;
    pthread_mutex_unlock(&book);
    return waited;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, accountant, NULL);
    double start = seconds(), waited = 0;
    while (seconds() - start < 2) {
        waited += sell(1999 + entered);
        /* The next customer looks for the money. */
        double until = seconds() + 0.002;
        while (seconds() < until)
            ;
    }
    double wall = seconds() - start;
    closed = 1;
    pthread_join(thread, NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "attempts %.3f\nsales %d\nin_vain %d\n", waited / wall, entered, in_vain);
    return fclose(truth);
}
