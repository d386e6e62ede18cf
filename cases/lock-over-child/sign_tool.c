// Signs a package: 30 ms of CPU time.
#include <time.h>

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile unsigned signature = 1;

static void compute_signature(const char *package) {
    for (double start = cpu(); cpu() - start < 0.03;)
        for (int n = 0; n < 10000; n++) signature = signature * 31 + package[0] + n;
}

int main(int count, char **arguments) {
    compute_signature(arguments[count - 1]);
}
