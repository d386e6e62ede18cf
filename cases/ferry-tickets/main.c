/* A ferry: a sailor checks the ticket that the cashier has just sold. Each waits for the other. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static sem_t sold, checked;
static unsigned ticket, stamp;
static int closing;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void *check_tickets(void *unused) {
    (void)unused;
    for (;;) {
        sem_wait(&sold);
        if (closing)
            return NULL;
        stamp = ticket * 2654435761u >> 16;
        sem_post(&checked);
    }
}

static unsigned sell_ticket(unsigned number) {
    ticket = number;
    sem_post(&sold);
    sem_wait(&checked);
    return stamp;
}

int main(void) {
    pthread_t sailor;
    struct rusage used;
    unsigned number = 0, stamps = 0;
    sem_init(&sold, 0, 0);
    sem_init(&checked, 0, 0);
    pthread_create(&sailor, NULL, check_tickets, NULL);
    double start = now();
    for (; now() - start < 2; number++)
        stamps ^= sell_ticket(number);
    double took = now() - start;
    closing = 1;
    sem_post(&sold);
    pthread_join(sailor, NULL);
    getrusage(RUSAGE_SELF, &used);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "tickets %u\nswitches_per_ticket %.2f\nus_per_ticket %.2f\nstamps %u\n", number,
            (double)used.ru_nvcsw / number, took / number * 1e6, stamps);
    fclose(truth);
    return 0;
}
