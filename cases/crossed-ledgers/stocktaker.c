// Counts the stock and corrects the accounts: locks the stock, then the accounts.
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(int ms) {
    struct timespec t = {0, ms * 1000000L};
    nanosleep(&t, NULL);
}

static void correct(int stock, int accounts) {
    flock(stock, LOCK_EX);
    pause_ms(8);   // a shelf is counted
    flock(accounts, LOCK_EX);
    pause_ms(3);
    flock(accounts, LOCK_UN);
    flock(stock, LOCK_UN);
}

int main(void) {
    int stock = open("stock.ledger", O_RDWR | O_CREAT, 0600), accounts = open("accounts.ledger", O_RDWR | O_CREAT, 0600);
    fclose(fopen("ready", "w"));
    for (int shelf = 0;; shelf++) {
        correct(stock, accounts);
        pause_ms(shelf % 3 == 2 ? 40 : 5);
    }
}
