// Sells tickets, one client after the other, with 20 ms of computation for each. Its backlog is 1.
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void print_ticket(void) {
    volatile unsigned ink = 1;
    for (double start = cpu(); cpu() - start < 0.02;)
        for (int n = 0; n < 10000; n++) ink = ink * 31 + n;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    char request[16];
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (void *)&address, length);
    listen(listener, 1);
    getsockname(listener, (void *)&address, &length);
    FILE *port = fopen("port", "w");
    fprintf(port, "%d", ntohs(address.sin_port));
    fclose(port);
    fclose(fopen("ready", "w"));
    for (;;) {
        int client = accept(listener, NULL, NULL);
        if (recv(client, request, sizeof request, 0) > 0) {
            print_ticket();
            send(client, "ticket", 6, MSG_NOSIGNAL);
        }
        close(client);
    }
}
