// Sends carts of wool to a mill in the same program: a carter (parent) and a mill (child), by a Unix socket.
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double clock_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned spin_wool(const char *cart, int kilos) {
    unsigned yarn = 1;
    for (int round = 0; round < 120; round++)
        for (int n = 0; n < kilos; n++) yarn = yarn * 31 + (unsigned char)cart[n];
    return yarn;
}

static void run_mill(int gate) {
    char cart[20000];
    unsigned yarn = 0;
    int kilos;
    prctl(PR_SET_NAME, "spinning-mill");
    while ((kilos = recv(gate, cart, sizeof cart, 0)) > 0) yarn += spin_wool(cart, kilos);
    _exit(yarn == 42);
}

static void send_cart(int gate, const char *cart, int kilos) {
    if (send(gate, cart, kilos, 0) != kilos) _exit(1);
}

int main(void) {
    int ends[2];
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
    if (fork() == 0) {
        close(ends[0]);
        run_mill(ends[1]);
    }
    close(ends[1]);
    prctl(PR_SET_NAME, "carter");
    char cart[20000];
    memset(cart, 'w', sizeof cart);
    int carts = 0;
    double start = clock_of(CLOCK_MONOTONIC), sent = 0;
    for (double before; (before = clock_of(CLOCK_MONOTONIC)) - start < 2; carts++) {
        send_cart(ends[0], cart, sizeof cart);
        sent += clock_of(CLOCK_MONOTONIC) - before;
    }
    close(ends[0]);
    wait(NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "in_send %.3f\ncarts %d\n", sent / (clock_of(CLOCK_MONOTONIC) - start), carts);
    fclose(truth);
}
