// Looks up where some lighthouses report to, and draws a chart for each. Run in a mount namespace of its own with a
// resolv.conf that names two servers on loopback (see run.sh).
#include <netdb.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int address_of(const char *name) {
    struct addrinfo *found, hints = {.ai_family = AF_INET};
    if (getaddrinfo(name, "http", &hints, &found) != 0) return 1;
    freeaddrinfo(found);
    return 0;
}

static void draw_chart(int number) {
    volatile unsigned ink = number;
    for (double start = now(); now() - start < 0.02;)
        for (int n = 0; n < 10000; n++) ink = ink * 31 + n;
}

int main(void) {
    double start = now();
    int failed = 0, asked = 0;
    double asking = 0;
    while (now() - start < 1.5) {
        double before = now();
        failed += address_of(asked++ % 2 ? "north.lights.test" : "south.lights.test");
        asking += now() - before;
        draw_chart(asked);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "failed %d\nasked %d\nasking %.3f\n", failed, asked, asking / (now() - start));
    fclose(truth);
}
