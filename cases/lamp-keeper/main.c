/* Keeps two programs running that compute the light of lamps, one per CPU, and starts what has ended. */
#define _GNU_SOURCE
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LAMPS 2

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void compute_light(double seconds)
{
    double end = now() + seconds;
    volatile double sum = 0;
    while (now() < end)
        for (int i = 1; i < 20000; i++)
            sum = sum + cos(i * 0.01) / (i * i);
    _exit(sum > 1e9);
}

static pid_t start_lamp(double seconds)
{
    pid_t pid = fork();
    if (pid == 0)
        compute_light(seconds);
    if (pid < 0) {
        perror("fork");
        exit(1);
    }
    return pid;
}

static int collect(pid_t *lamp, double until)
{
    int ended = 0, status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < LAMPS; i++)
            if (lamp[i] == pid) {
                double left = until - now();
                lamp[i] = left > 0.02 ? start_lamp(left < 0.7 ? left : 0.7) : 0;
                ended++;
            }
    return ended;
}

int main(void)
{
    double until = now() + 2.0;
    sigset_t ends;
    pid_t lamp[LAMPS];
    int ended = 0;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int events = signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC);
    for (int i = 0; i < LAMPS; i++)
        lamp[i] = start_lamp(0.7);
    while (lamp[0] || lamp[1]) {
        struct pollfd p = { events, POLLIN, 0 };
        struct signalfd_siginfo info[8];
        if (poll(&p, 1, -1) > 0 && read(events, info, sizeof info) > 0)
            ended += collect(lamp, until);
    }
    printf("%d programs ended\n", ended);
    return 0;
}
