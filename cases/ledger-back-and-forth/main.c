/* Checks the bookings of a ledger. Another program may add some at any time, so nothing is buffered. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct head {
    long bookings, currency;
};
struct booking {
    long account, cents, day, sum;
};

static long reads;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void write_ledger(const char *name, long bookings) {
    FILE *out = fopen(name, "wb");
    struct head head = {bookings, 978};
    fwrite(&head, sizeof head, 1, out);
    for (long i = 0; i < bookings; i++) {
        struct booking booking = {i % 977, i * 37 % 100000, i / 400, 0};
        booking.sum = booking.account + booking.cents + booking.day;
        fwrite(&booking, sizeof booking, 1, out);
    }
    fclose(out);
}

static void read_at(FILE *ledger, long place, void *into, size_t size) {
    reads++;
    if (fseek(ledger, place, SEEK_SET) != 0 || fread(into, size, 1, ledger) != 1) {
        fprintf(stderr, "the ledger is damaged\n");
        exit(1);
    }
}

static struct head read_head(FILE *ledger) {
    struct head head;
    read_at(ledger, 0, &head, sizeof head);
    return head;
}

static struct booking read_booking(FILE *ledger, long number) {
    struct booking booking;
    read_at(ledger, sizeof(struct head) + number * sizeof booking, &booking, sizeof booking);
    return booking;
}

int main(void) {
    write_ledger("ledger.dat", 100000);
    FILE *ledger = fopen("ledger.dat", "rb");
    setvbuf(ledger, NULL, _IONBF, 0);
    double start = seconds(), reading = 0;
    long checked = 0, wrong = 0;
    while (seconds() - start < 2) {
        double before = seconds();
        for (int i = 0; i < 500; i++) {
            long number = checked++ % read_head(ledger).bookings;
            struct booking booking = read_booking(ledger, number);
            wrong += booking.sum != booking.account + booking.cents + booking.day;
        }
        reading += seconds() - before;
    }
    double wall = seconds() - start;
    fclose(ledger);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "reading %.3f\nchecked %ld\nreads %ld\nwrong %ld\n", reading / wall, checked, reads, wrong);
    return fclose(truth);
}
