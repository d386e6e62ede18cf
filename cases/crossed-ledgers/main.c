// Books goods that leave the store: locks the accounts, then the stock, as two programs share both.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double waited;
static int given_up;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void pause_ms(int ms) {
    struct timespec t = {0, ms * 1000000L};
    nanosleep(&t, NULL);
}

static void on_alarm(int signal) { (void)signal; }

static int lock_or_give_up(int file, int ms) {
    struct itimerval limit = {{0, 0}, {0, ms * 1000}}, off = {{0, 0}, {0, 0}};
    double before = now();
    setitimer(ITIMER_REAL, &limit, NULL);
    int result = flock(file, LOCK_EX);
    setitimer(ITIMER_REAL, &off, NULL);
    waited += now() - before;
    return result;
}

__attribute__((noinline)) static void lock_both(int accounts, int stock) {
    for (;;) {
        if (!lock_or_give_up(accounts, 350)) {
            pause_ms(2);   // the balance is read
            if (!lock_or_give_up(stock, 350)) return;
            flock(accounts, LOCK_UN);
        }
        given_up++;
        pause_ms(20);
    }
}

static void book_goods(int accounts, int stock, int order) {
    char line[80];
    lock_both(accounts, stock);
    int size = snprintf(line, sizeof line, "order %d\n", order);
    if (pwrite(accounts, line, size, 0) != size || pwrite(stock, line, size, 0) != size) perror("ledger");
    flock(stock, LOCK_UN);
    flock(accounts, LOCK_UN);
    pause_ms(4);
}

int main(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    int accounts = open("accounts.ledger", O_RDWR | O_CREAT, 0600), stock = open("stock.ledger", O_RDWR | O_CREAT, 0600);
    double start = now();
    int orders = 0;
    while (now() - start < 2.2) book_goods(accounts, stock, ++orders);
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "waited %.3f\norders %d\ngiven_up %d\n", waited / (now() - start), orders, given_up);
    return fclose(truth);
}
