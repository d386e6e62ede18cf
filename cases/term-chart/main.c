/* Draws the load of a cluster as a chart of coloured cells, for a terminal or for a file. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 64, HOURS = 160 };

static unsigned char load[NODES][HOURS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int wants_colour(FILE *out)
{
    return isatty(fileno(out));
}

static int columns(FILE *out)
{
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
        return size.ws_col;
    return 2 * HOURS;
}

static void cell(FILE *out, int column, int value)
{
    static const char shades[] = " .:-=+*#%@";
    if (column >= columns(out))
        return;
    if (wants_colour(out))
        fprintf(out, "\033[4%dm", value / 32);
    putc(shades[value * 10 / 256], out);
    if (wants_colour(out))
        fputs("\033[0m", out);
}

static void draw(FILE *out)
{
    rewind(out);
    for (int node = 0; node < NODES; node++) {
        for (int hour = 0; hour < HOURS; hour++)
            cell(out, hour, load[node][hour]);
        putc('\n', out);
    }
}

static void measure(unsigned *seed)
{
    for (int node = 0; node < NODES; node++)
        for (int hour = 0; hour < HOURS; hour++)
            load[node][hour] = (load[node][hour] * 3 + rand_r(seed) % 256) / 4;
}

int main(void)
{
    FILE *out = fopen("cluster.chart", "w");
    if (!out) {
        perror("cluster.chart");
        return 1;
    }
    static char buffer[1 << 16];
    setvbuf(out, buffer, _IOFBF, sizeof buffer);
    unsigned seed = 3;
    double start = now();
    int charts = 0;
    while (now() - start < 2) {
        measure(&seed);
        draw(out);
        charts++;
    }
    fclose(out);
    printf("%d charts\n", charts);
    return 0;
}
