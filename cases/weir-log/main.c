/* Writes the levels at a weir to a spool, from which an archive fetches them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PART (256 * 1024)

static double paused;
static long pauses;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void wait_for_room(void)
{
    double t = now();
    struct timespec nap = { 0, 60 * 1000 * 1000 };
    nanosleep(&nap, NULL);
    paused += now() - t;
    pauses++;
}

static void write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, data, n);
        if (k < 0) {
            if (errno != ENOSPC) {
                perror("spool");
                exit(1);
            }
            wait_for_room();
            continue;
        }
        data += k;
        n -= k;
    }
}

static size_t format_levels(char *text, size_t room, long *tick)
{
    size_t n = 0;
    while (n + 64 < room) {
        double level = 3.2 + sin(*tick * 0.001) + 0.2 * cos(*tick * 0.017);
        n += sprintf(text + n, "%ld weir-4 level=%.4f flow=%.3f\n", *tick, level, level * 17.3);
        ++*tick;
    }
    return n;
}

int main(void)
{
    static char text[PART];
    double start = now();
    long tick = 0;
    int parts = 0;
    while (now() - start < 2.0) {
        char name[64], temporary[64];
        snprintf(name, sizeof name, "spool/levels-%05d", parts);
        snprintf(temporary, sizeof temporary, "spool/.levels-%05d", parts);
        int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (fd < 0) {
            perror(temporary);
            return 1;
        }
        write_all(fd, text, format_levels(text, sizeof text, &tick));
        close(fd);
        if (rename(temporary, name)) {
            perror(name);
            return 1;
        }
        parts++;
    }
    printf("%d parts, %ld pauses\n", parts, pauses);
    FILE *truth = fopen("truth", "w");
    if (truth) {
        fprintf(truth, "share %.3f\npauses %ld\n", paused / (now() - start), pauses);
        fclose(truth);
    }
    return 0;
}
