// Computes the tax on an order, with 35 ms of CPU time for each.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned compute_tax(unsigned order) {
    volatile unsigned tax = order;
    for (double start = cpu(); cpu() - start < 0.035;)
        for (int n = 0; n < 10000; n++) tax = tax * 31 + n;
    return tax;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    char order[1500];
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (void *)&address, length);
    listen(listener, 8);
    getsockname(listener, (void *)&address, &length);
    FILE *port = fopen("office.part", "w");
    fprintf(port, "%d", ntohs(address.sin_port));
    fclose(port);
    rename("office.part", "office");
    for (;;) {
        int client = accept(listener, NULL, NULL), on = 1;
        long got;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        while ((got = recv(client, order, sizeof order, 0)) > 0)
            dprintf(client, "%u\n", compute_tax(got) % 100);
        close(client);
    }
}
