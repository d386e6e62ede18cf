// Sells seats at the counter. A customer looks at the map of the seats, which must not change meanwhile.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "seats.h"

static void pause_ms(int ms) {
    struct timespec t = {0, ms * 1000000L};
    nanosleep(&t, NULL);
}

static void serve_customer(struct seats *seats, int customer) {
    pthread_mutex_lock(&seats->lock);
    pause_ms(60);   // the customer chooses
    seats->taken[customer % 30][customer * 7 % 40] = 'c';
    pthread_mutex_unlock(&seats->lock);
}

int main(void) {
    int file = open("seats.map", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, sizeof(struct seats))) return 1;
    struct seats *seats = mmap(NULL, sizeof *seats, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (seats == MAP_FAILED) return 1;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&seats->lock, &kind);
    fclose(fopen("ready", "w"));
    for (int customer = 0;; customer++) {
        serve_customer(seats, customer);
        pause_ms(1);
    }
}
