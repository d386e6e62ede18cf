// Encodes a clip: 40 ms of CPU time.
#include <stdio.h>
#include <time.h>

static double clock_of(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned encode_block(unsigned code) {
    for (int n = 0; n < 10000; n++) code = code * 1664525 + n;
    return code;
}

int main(int count, char **arguments) {
    unsigned code = arguments[count - 1][0];
    double start = clock_of(CLOCK_MONOTONIC);
    while (clock_of(CLOCK_PROCESS_CPUTIME_ID) < 0.04) code = encode_block(code);
    printf("%u %.4f\n", code, clock_of(CLOCK_MONOTONIC) - start);
}
