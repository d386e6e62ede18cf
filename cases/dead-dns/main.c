// Resolves names where the name server does not answer. Run in a mount namespace of its own with a
// resolv.conf that names a server on loopback (see run.sh).
#include <netdb.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int look_up(const char *name) {
    struct addrinfo *found;
    return getaddrinfo(name, "http", NULL, &found);
}

int main(void) {
    double start = now();
    int failed = look_up("shop.example.test") != 0;
    failed += look_up("images.example.test") != 0;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "failed %d\nseconds %.3f\n", failed, now() - start);
    fclose(truth);
}
