// The toll booths of a bridge: each is a process of its own, and all write into the same ledger.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BOOTHS 3

struct totals {
    double held, whole;
    long cars;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void lock_ledger(int ledger, short kind) {
    struct flock lock = {.l_type = kind, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
    while (fcntl(ledger, F_SETLKW, &lock) < 0) {
    }
}

static void store(int ledger, const char *line, size_t length) {
    if (write(ledger, line, length) < 0)
        abort();
    fdatasync(ledger);
}

static void book(int ledger, int booth, int car, struct totals *sum) {
    char line[80];
    int length = snprintf(line, sizeof line, "booth %d car %d paid %d\n", booth, car, 3 + car % 5);
    lock_ledger(ledger, F_WRLCK);
    double before = now();
    store(ledger, line, (size_t)length);
    sum->held += now() - before;
    lock_ledger(ledger, F_UNLCK);
    sum->cars++;
}

static void booth(int number, int report, double seconds) {
    int ledger = open("ledger.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
    struct totals sum = {0};
    double start = now();
    for (int car = 0; now() - start < seconds; car++)
        book(ledger, number, car, &sum);
    sum.whole = now() - start;
    if (write(report, &sum, sizeof sum) < 0)
        abort();
    close(ledger);
}

int main(void) {
    int reports[2];
    if (pipe(reports))
        return 1;
    for (int n = 0; n < BOOTHS; n++) {
        if (fork() == 0) {
            booth(n, reports[1], 2.0);
            _exit(0);
        }
    }
    struct totals all = {0}, one;
    for (int n = 0; n < BOOTHS; n++) {
        if (read(reports[0], &one, sizeof one) != sizeof one)
            return 1;
        all.held += one.held;
        all.cars += one.cars;
        all.whole = one.whole;
    }
    while (wait(NULL) > 0) {
    }
    printf("%ld cars, ledger locked %.0f %% of the time\n", all.cars, 100 * all.held / all.whole);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "synced %.3f\ncars %ld\n", all.held / all.whole, all.cars);
    fclose(truth);
    return 0;
}
