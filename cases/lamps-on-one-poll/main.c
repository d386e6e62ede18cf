/* A board with 6000 lamps: each lamp reports on a pipe of its own. Waits for reports with poll and counts them. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LAMPS = 6000 };
static struct pollfd lamps[LAMPS];
static int feeds[LAMPS];
static long reports[LAMPS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static int wait_for_report(void)
{
    return poll(lamps, LAMPS, 1000);
}

__attribute__((noinline)) static void take_reports(int ready)
{
    for (int i = 0; i < LAMPS && ready; i++) {
        if (!(lamps[i].revents & POLLIN))
            continue;
        char report;
        if (read(lamps[i].fd, &report, 1) == 1)
            reports[i]++;
        ready--;
    }
}

static void switch_lamp(int i)
{
    if (write(feeds[i], "+", 1) != 1)
        perror("lamp");
}

int main(void)
{
    struct rlimit limit = {2 * LAMPS + 100, 2 * LAMPS + 100};
    if (setrlimit(RLIMIT_NOFILE, &limit))
        return perror("limit"), 1;
    for (int i = 0; i < LAMPS; i++) {
        int ends[2];
        if (pipe(ends))
            return perror("pipe"), 1;
        lamps[i] = (struct pollfd){.fd = ends[0], .events = POLLIN};
        feeds[i] = ends[1];
    }
    double start = now(), waited = 0;
    long taken = 0;
    while (now() - start < 2.0) {
        switch_lamp(taken * 31 % LAMPS);
        double before = now();
        int ready = wait_for_report();
        waited += now() - before;
        take_reports(ready);
        taken++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "reports %ld\npolling %.3f\nmicroseconds_per_poll %.0f\n", taken, waited / (now() - start), waited / taken * 1e6);
    return fclose(truth);
}
