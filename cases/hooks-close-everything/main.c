/* A door keeper: runs a small hook after each event. The hook must not inherit connections, so all descriptors that it
   could have are closed first. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void close_inherited(void)
{
    long last = sysconf(_SC_OPEN_MAX);
    for (long fd = 3; fd < last; fd++)
        close(fd);
}

__attribute__((noinline)) static int run_hook(const char *event)
{
    pid_t child = fork();
    if (child == 0) {
        close_inherited();
        execl("/bin/true", "door-hook", event, (char *)NULL);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    double start = now();
    int events = 0, failed = 0;
    while (now() - start < 2.0) {
        char event[40];
        snprintf(event, sizeof event, "door-%d-opened", events++ % 12);
        failed += run_hook(event) != 0;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "events %d\nlimit %ld\nseconds_per_event %.3f\n", events, sysconf(_SC_OPEN_MAX), (now() - start) / events);
    fclose(truth);
    return failed != 0;
}
