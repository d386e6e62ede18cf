/* Simulates particles in a field for two seconds; twice a forked child writes a checkpoint while the parent goes on. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PARTICLES = 40000 };

struct particle {
    double x, v;
};

static struct particle plasma[PARTICLES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fill(unsigned seed)
{
    for (int i = 0; i < PARTICLES; i++) {
        plasma[i].x = rand_r(&seed) / (double)RAND_MAX;
        plasma[i].v = rand_r(&seed) / (double)RAND_MAX - 0.5;
    }
}

static double field(double x)
{
    double d = x - 0.5;
    return -d * (1 - d * d / 6 + d * d * d * d / 120);
}

static void push(double step)
{
    for (int i = 0; i < PARTICLES; i++) {
        plasma[i].v += field(plasma[i].x) * step;
        plasma[i].x += plasma[i].v * step;
    }
}

static void write_checkpoint(int number)
{
    char name[32];
    snprintf(name, sizeof name, "plasma.%d", number);
    int file = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (write(file, plasma, sizeof plasma) != sizeof plasma || fsync(file))
        _exit(1);
    close(file);
    _exit(0);
}

int main(void)
{
    double start = now();
    int steps = 0, checkpoints = 0;
    fill(3);
    while (now() - start < 2) {
        push(1e-4);
        steps++;
        if (checkpoints < 2 && now() - start > 0.7 * (checkpoints + 1))
            if (fork() == 0)
                write_checkpoint(checkpoints);
            else
                checkpoints++;
    }
    int status, failed = 0;
    while (wait(&status) > 0)
        failed += status != 0;
    printf("%d steps, %d checkpoints, %d failed\n", steps, checkpoints, failed);
    return failed;
}
