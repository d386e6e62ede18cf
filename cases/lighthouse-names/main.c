// Looks up where some lighthouses report to. Run in a mount namespace of its own with a resolv.conf that names two
// servers on loopback (see run.sh).
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

int main(void) {
    double start = now();
    int failed = address_of("north.lights.test") + address_of("south.lights.test");
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "failed %d\nseconds %.3f\n", failed, now() - start);
    fclose(truth);
}
