// The dairy: fetches churns of milk at the gate of a farm, one at a time.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int wait_at_gate(void) {
    return open("gate", O_RDONLY);
}

static int fetch_churn(double *waited) {
    char churn[64];
    double before = now();
    int gate = wait_at_gate();
    *waited += now() - before;
    int got = 0, n;
    while ((n = read(gate, churn, sizeof churn)) > 0) got += n;
    close(gate);
    return got / 6;
}

int main(void) {
    double start = now(), waited = 0;
    int churns = 0;
    while (now() - start < 2) churns += fetch_churn(&waited);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nchurns %d\n", waited / (now() - start), churns);
    fclose(truth);
}
