/* Shows a gauge. Gives up root's rights first, then reads its calibration; if it cannot, it uses the factory's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int attempts;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Another program may be replacing the file just now, so one attempt is not enough. */
__attribute__((noinline)) static double read_calibration(const char *path, double patience)
{
    double until = now() + patience, factor = 1.0;
    while (now() < until) {
        attempts++;
        FILE *file = fopen(path, "r");
        if (file) {
            if (fscanf(file, "%lf", &factor) != 1)
                factor = 1.0;
            fclose(file);
            return factor;
        }
        usleep(20 * 1000);
    }
    return factor;
}

int main(void)
{
    FILE *truth = fopen("truth", "w");
    if (!truth || setgroups(0, NULL) || setgid(65534) || setuid(65534))
        return 1;
    double start = now();
    double factor = read_calibration("calibration/gauge.cal", 2.0);
    double waited = now() - start, sum = 0;
    for (int i = 0; i < 200000; i++)
        sum += factor * (i % 97);
    fprintf(truth, "attempts %d\nwaiting %.3f\nsum %.0f\n", attempts, waited / (now() - start), sum);
    return fclose(truth);
}
