/* Writes the statement of each account as one text: a head, a line per booking, and a sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BOOKINGS 6000

struct booking {
    int day;
    int cents;
    const char *purpose;
};

static struct booking bookings[BOOKINGS];
static const char *purposes[] = {"rent", "books", "a bicycle", "coffee", "train to Ulm"};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void load_account(int number)
{
    for (int n = 0; n < BOOKINGS; n++) {
        bookings[n].day = n * 365 / BOOKINGS;
        bookings[n].cents = (n * 7919 + number * 101) % 90000 - 40000;
        bookings[n].purpose = purposes[(n + number) % 5];
    }
}

static void add(char *text, const char *part)
{
    strcat(text, part);
}

static void add_booking(char *text, const struct booking *booking)
{
    char day[16], amount[24];
    snprintf(day, sizeof day, "%3d  ", booking->day);
    snprintf(amount, sizeof amount, "%9d.%02d  ", booking->cents / 100, abs(booking->cents % 100));
    add(text, day);
    add(text, amount);
    add(text, booking->purpose);
    add(text, "\n");
}

static size_t write_statement(FILE *out, int number)
{
    char *text = malloc(BOOKINGS * 64 + 256);
    long sum = 0;
    sprintf(text, "Account %d\n", number);
    for (int n = 0; n < BOOKINGS; n++) {
        add_booking(text, &bookings[n]);
        sum += bookings[n].cents;
    }
    char line[64];
    snprintf(line, sizeof line, "Sum %ld.%02ld\n", sum / 100, labs(sum % 100));
    add(text, line);
    size_t length = strlen(text);
    fwrite(text, 1, length, out);
    free(text);
    return length;
}

int main(void)
{
    FILE *out = fopen("statements.txt", "w");
    double start = now();
    size_t written = 0;
    int accounts = 0;
    double loading = 0;
    while (now() - start < 2.1) {
        double before = now();
        load_account(accounts);
        loading += now() - before;
        written += write_statement(out, accounts++);
    }
    fclose(out);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "accounts %d\nbytes %zu\nloading %.4f\n", accounts, written, loading / (now() - start));
    fclose(truth);
    return 0;
}
