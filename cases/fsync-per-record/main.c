// Writes a journal and makes every record durable before it writes the next one.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double in_fsync;

static void append_record(int journal, int number) {
    char record[128];
    int length = snprintf(record, sizeof record, "record %d: paid 17.50 to account %d\n", number, number % 97);
    if (write(journal, record, length) != length) _exit(1);
    double before = now();
    fsync(journal);
    in_fsync += now() - before;
}

int main(void) {
    int journal = open("journal.log", O_WRONLY | O_CREAT | O_TRUNC, 0644), records = 0;
    double start = now();
    while (now() - start < 2.0) append_record(journal, records++);
    double wall = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nfsync_calls %d\n", in_fsync / wall, records);
    fclose(truth);
}
