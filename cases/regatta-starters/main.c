/* Starts a heat of a regatta: each boat's handicap is computed by a process of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BOATS 5

struct boat {
    pid_t pid;
    int handicap;
};

static double waited;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void burn(double seconds)
{
    volatile double x = 1;
    double end = now() + seconds;
    while (now() < end)
        for (int i = 0; i < 2000; i++)
            x = x * 1.0000001 + 0.5;
}

static int handicap_of(int heat, int boat)
{
    burn(0.003);
    return (heat * 31 + boat * 17) % 60;
}

static void start_boats(struct boat *boats, int heat)
{
    for (int i = 0; i < BOATS; i++) {
        boats[i].handicap = -1;
        boats[i].pid = fork();
        if (boats[i].pid < 0) {
            perror("fork");
            exit(1);
        }
        if (boats[i].pid == 0)
            _exit(handicap_of(heat, i));
    }
}

static int note_result(struct boat *boats, pid_t pid, int status)
{
    for (int i = 0; i < BOATS; i++)
        if (boats[i].pid == pid) {
            boats[i].handicap = WEXITSTATUS(status);
            burn(0.004); /* the start list is set anew */
            return 1;
        }
    return 0;
}

/* A child has ended: fetch it. */
static int collect_one(struct boat *boats)
{
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    return pid > 0 ? note_result(boats, pid, status) : 0;
}

/* In case that something went wrong: look whether more have ended. */
static int sweep(struct boat *boats)
{
    int n = 0, k;
    while ((k = collect_one(boats)))
        n += k;
    return n;
}

static void await_all(struct boat *boats, const sigset_t *ends)
{
    int missing = BOATS;
    while (missing > 0) {
        struct timespec patience = { 0, 300 * 1000 * 1000 };
        double t = now();
        int s = sigtimedwait(ends, NULL, &patience);
        if (s == SIGCHLD) {
            missing -= collect_one(boats);
        } else if (errno == EAGAIN) {
            waited += now() - t;
            missing -= sweep(boats);
        }
    }
}

int main(void)
{
    double start = now();
    sigset_t ends;
    struct boat boats[BOATS];
    int heats = 0;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    while (now() - start < 2.0) {
        start_boats(boats, heats);
        await_all(boats, &ends);
        heats++;
    }
    printf("%d heats\n", heats);
    FILE *truth = fopen("truth", "w");
    if (truth) {
        fprintf(truth, "share %.3f\nheats %d\n", waited / (now() - start), heats);
        fclose(truth);
    }
    return 0;
}
