/* Simulates the working day of a tram depot. Every tram is a coroutine: it drives, waits at stops,
   goes through the wash and comes back. The dispatcher always continues the tram whose time is next. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#define TRAMS 24
#define STACK (64 * 1024)

struct tram {
    ucontext_t context;
    char *stack;
    unsigned now;
    unsigned random;
    unsigned long stops;
    unsigned long passengers;
};

static struct tram fleet[TRAMS];
static ucontext_t dispatcher;
static struct tram *running;
static int closing;

static unsigned draw(struct tram *tram, unsigned limit)
{
    tram->random = tram->random * 1664525u + 1013904223u;
    return (tram->random >> 8) % limit;
}

/* The tram is busy for some seconds of simulated time. */
static void hold(struct tram *tram, unsigned seconds)
{
    tram->now += seconds;
    swapcontext(&tram->context, &dispatcher);
}

static void drive(void)
{
    struct tram *tram = running;
    while (!closing) {
        unsigned people = draw(tram, 90);
        for (int stop = 0; stop < 14 && !closing; stop++) {
            hold(tram, 40 + draw(tram, 60));
            people -= draw(tram, people + 1);
            people += draw(tram, 30);
            tram->passengers += people;
            tram->stops++;
            hold(tram, 10 + people / 6);
        }
        hold(tram, 300);
    }
    swapcontext(&tram->context, &dispatcher);
}

static struct tram *next_tram(void)
{
    struct tram *best = &fleet[0];
    for (int i = 1; i < TRAMS; i++)
        if (fleet[i].now < best->now)
            best = &fleet[i];
    return best;
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) + (now.tv_nsec - start->tv_nsec) / 1e9;
}

int main(void)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < TRAMS; i++) {
        struct tram *tram = &fleet[i];
        tram->stack = malloc(STACK);
        tram->random = 77u * (unsigned)i + 5;
        tram->now = (unsigned)i * 120;
        getcontext(&tram->context);
        tram->context.uc_stack.ss_sp = tram->stack;
        tram->context.uc_stack.ss_size = STACK;
        tram->context.uc_link = &dispatcher;
        makecontext(&tram->context, drive, 0);
    }
    unsigned long switches = 0;
    while (seconds_since(&start) < 2.0) {
        for (int i = 0; i < 1000; i++, switches++) {
            running = next_tram();
            swapcontext(&dispatcher, &running->context);
        }
    }
    unsigned long stops = 0, passengers = 0;
    for (int i = 0; i < TRAMS; i++) {
        stops += fleet[i].stops;
        passengers += fleet[i].passengers;
    }
    printf("%lu stops, %lu passengers, %lu steps\n", stops, passengers, switches);
    return 0;
}
