// Collects the measurements of four rain gauges. A process for each gauge talks to its instrument.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GAUGES = 4, BLOCKS = 32, BLOCK = 8192 };

struct gauge {
    int pipe;
    pid_t process;
    double rain;
};

static double waited;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void query_instrument(int gauge, int block, unsigned char *values) {
    struct timespec line = {0, 20 * 1000 * 1000};
    nanosleep(&line, NULL);
    for (int i = 0; i < BLOCK; i++) values[i] = (unsigned char)(gauge * 31 + block * 7 + i);
}

static void transmit(int pipe, const unsigned char *values) {
    for (size_t sent = 0; sent < BLOCK;) {
        ssize_t n = write(pipe, values + sent, BLOCK - sent);
        if (n <= 0) _exit(1);
        sent += (size_t)n;
    }
}

static struct gauge start_gauge(int number) {
    int ends[2];
    if (pipe(ends)) exit(1);
    pid_t process = fork();
    if (process == 0) {
        char name[16];
        snprintf(name, sizeof name, "gauge-%d", number);
        prctl(PR_SET_NAME, name);
        close(ends[0]);
        unsigned char values[BLOCK];
        for (int block = 0; block < BLOCKS; block++) {
            query_instrument(number, block, values);
            transmit(ends[1], values);
        }
        _exit(0);
    }
    close(ends[1]);
    return (struct gauge){ends[0], process, 0};
}

__attribute__((noinline)) static void collect_gauge(struct gauge *gauge) {
    unsigned char values[BLOCK];
    for (;;) {
        double before = now();
        ssize_t n = read(gauge->pipe, values, sizeof values);
        waited += now() - before;
        if (n <= 0) break;
        for (ssize_t i = 0; i < n; i++) gauge->rain += values[i] * 0.1;
    }
    close(gauge->pipe);
    waitpid(gauge->process, NULL, 0);
}

int main(void) {
    double start = now();
    struct gauge gauges[GAUGES];
    for (int i = 0; i < GAUGES; i++) gauges[i] = start_gauge(i);
    for (int i = 0; i < GAUGES; i++) {
        collect_gauge(&gauges[i]);
        printf("gauge %d: %.1f\n", i, gauges[i].rain);
    }
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "share %.3f\nseconds %.3f\n", waited / (now() - start), now() - start);
    return fclose(truth);
}
