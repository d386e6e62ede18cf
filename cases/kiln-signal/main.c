/* A control of a kiln gives each firing to its helper process and goes on when that sends SIGUSR1.
   A heartbeat (SIGALRM) shows four times a second that the control is alive. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t fired, beats;

static void on_fired(int unused)
{
    (void)unused;
    fired = 1;
}

static void on_beat(int unused)
{
    (void)unused;
    beats++;
}

static volatile double last_heat;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static double heat_curve(int firing, int steps)
{
    double heat = 20;
    for (int i = 0; i < steps; i++)
        heat += (1100 - heat) * 0.00002 * (1 + firing % 3);
    return heat;
}

/* The helper fires one piece for each byte in the pipe. */
static void helper(int orders, pid_t control)
{
    char order;
    while (read(orders, &order, 1) == 1) {
        last_heat = heat_curve(order, 400000);
        kill(control, SIGUSR1);
    }
    _exit(0);
}

static void note_firing(FILE *book, int number)
{
    fprintf(book, "firing %d: expected %.3f degrees\n", number, heat_curve(number, 2500000));
}

static void await_firing(FILE *book, int number, double *waited)
{
    while (!fired) {
        note_firing(book, number);
        double before = now();
        pause();
        *waited += now() - before;
    }
    fired = 0;
}

int main(void)
{
    int orders[2];
    if (pipe(orders) != 0)
        return 1;
    pid_t control = getpid(), child = fork();
    if (child == 0) {
        close(orders[1]);
        helper(orders[0], control);
    }
    close(orders[0]);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fired;
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = on_beat;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval quarter = {{0, 250000}, {0, 250000}};
    setitimer(ITIMER_REAL, &quarter, NULL);

    FILE *book = fopen("firings.txt", "w");
    double start = now(), waited = 0;
    int firings = 0;
    while (now() - start < 2.0) {
        char order = (char)(firings % 100);
        if (write(orders[1], &order, 1) != 1)
            break;
        await_firing(book, firings++, &waited);
    }
    double wall = now() - start;
    fclose(book);
    close(orders[1]);
    while (waitpid(child, NULL, 0) < 0)
        ;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", waited / wall);
    fclose(truth);
    printf("%d firings, %d beats\n", firings, (int)beats);
    return 0;
}
