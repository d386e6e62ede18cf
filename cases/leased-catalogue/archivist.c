#define _GNU_SOURCE
// Keeps the catalogue in memory under a lease, as a file server does for its clients; gives it back when asked.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void pause_us(long us) {
    struct timespec t = {0, us * 1000};
    nanosleep(&t, NULL);
}

static void write_back(int file) {
    pause_us(110 * 1000);   // the changes come from a client far away
    if (pwrite(file, "book-0 1\n", 9, 0) != 9) perror("catalogue.txt");
}

int main(void) {
    FILE *f = fopen("catalogue.txt", "w");
    for (int book = 0; book < 800; book++) fprintf(f, "book-%d %d\n", book, book * 17 % 90 + 1);
    fclose(f);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGRTMIN + 1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int started = 0;
    for (;;) {
        int file = open("catalogue.txt", O_RDWR);
        fcntl(file, F_SETSIG, SIGRTMIN + 1);
        while (fcntl(file, F_SETLEASE, F_WRLCK)) pause_us(500);
        if (!started++) fclose(fopen("ready", "w"));
        siginfo_t asked;
        sigwaitinfo(&signals, &asked);
        write_back(file);
        fcntl(file, F_SETLEASE, F_UNLCK);
        close(file);
        pause_us(500);
    }
}
