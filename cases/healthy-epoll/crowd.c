// Sixteen clients in one thread: each has one request under way at any time.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 16 };

static void ask(int server, unsigned number) {
    unsigned request[4] = {number * 2654435761u, number % 3 == 0, number, 0};
    if (send(server, request, sizeof request, MSG_NOSIGNAL) != sizeof request) exit(0);
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct pollfd servers[CLIENTS];
    int port = 0, one = 1;
    unsigned number = 0, reply[4];
    FILE *file;
    fclose(fopen("ready", "w"));
    while (!(file = fopen("port", "r"))) usleep(2000);
    if (fscanf(file, "%d", &port) != 1) return 1;
    address.sin_port = htons(port);
    for (int n = 0; n < CLIENTS; n++) {
        servers[n] = (struct pollfd){.fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN};
        if (connect(servers[n].fd, (void *)&address, sizeof address)) return 1;
        setsockopt(servers[n].fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        ask(servers[n].fd, number++);
    }
    for (;;) {
        poll(servers, CLIENTS, -1);
        for (int n = 0; n < CLIENTS; n++) {
            if (!(servers[n].revents & POLLIN)) continue;
            if (recv(servers[n].fd, reply, sizeof reply, MSG_WAITALL) != sizeof reply) return 0;
            ask(servers[n].fd, number++);
        }
    }
}
