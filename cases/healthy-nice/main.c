// Counts primes at the lowest priority. Nobody else wants the CPUs.
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int is_prime(unsigned number) {
    for (unsigned divisor = 3; divisor * divisor <= number; divisor += 2)
        if (number % divisor == 0) return 0;
    return 1;
}

int main(void) {
    if (setpriority(PRIO_PROCESS, 0, 19)) return 1;
    double start = seconds(CLOCK_MONOTONIC);
    unsigned primes = 1;
    for (unsigned number = 3; number < 7000000; number += 2) primes += is_prime(number);
    double share = 1 - seconds(CLOCK_PROCESS_CPUTIME_ID) / (seconds(CLOCK_MONOTONIC) - start);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "without_cpu %.3f\nprimes %u\n", share, primes);
    fclose(truth);
}
