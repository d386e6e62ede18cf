// Finds the cheapest mixture of dyes for a wanted colour. The operator can cancel the search through a pipe.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct dye {
    int red, green, blue, price;
};

static const struct dye DYES[] = {{200, 20, 30, 9}, {30, 180, 40, 7}, {20, 40, 210, 11}, {240, 220, 30, 5}};
static int control;
static unsigned long asked;
static double asking;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

__attribute__((noinline)) static int cancelled(void) {
    struct pollfd fd = {.fd = control, .events = POLLIN};
    return poll(&fd, 1, 0) > 0;
}

static int distance(const int parts[4], const int want[3]) {
    int sum = parts[0] + parts[1] + parts[2] + parts[3], red = 0, green = 0, blue = 0;
    for (int n = 0; n < 4; n++) {
        red += parts[n] * DYES[n].red;
        green += parts[n] * DYES[n].green;
        blue += parts[n] * DYES[n].blue;
    }
    return abs(red / sum - want[0]) + abs(green / sum - want[1]) + abs(blue / sum - want[2]);
}

static int search(const int want[3], double until) {
    int best = 1 << 30;
    for (int a = 1; a < 40; a++)
        for (int b = 0; b < 40; b++)
            for (int c = 0; c < 40; c++)
                for (int d = 0; d < 40; d++) {
                    double start = asked % 128 == 0 ? now() : 0;
                    if (start > until || cancelled())
                        return best;
                    if (start > 0)
                        asking += (now() - start) * 128;
                    asked++;
                    int parts[4] = {a, b, c, d};
                    int value = distance(parts, want);
                    if (value < best)
                        best = value;
                }
    return best;
}

int main(void) {
    int ends[2];
    if (pipe(ends))
        return 1;
    control = ends[0];
    double start = now();
    int colours = 0, sum = 0;
    while (now() - start < 2) {
        int want[3] = {colours * 37 % 200 + 20, colours * 91 % 200 + 20, colours * 53 % 200 + 20};
        sum += search(want, start + 2);
        colours++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "asked_share %.3f\nasked %lu\ncolours %d\nsum %d\n", asking / (now() - start), asked, colours, sum);
    fclose(truth);
    return 0;
}
