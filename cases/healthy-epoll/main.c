// A key-value server for many clients: one thread, epoll, whole requests of 16 bytes. It runs for 2 s.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static unsigned values[4096];
static unsigned long answers, rounds;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void answer(int client) {
    unsigned request[4];
    if (recv(client, request, sizeof request, MSG_WAITALL) != sizeof request) {
        close(client);
        return;
    }
    unsigned *value = &values[request[0] % 4096];
    if (request[1]) *value = *value * 31 + request[2];
    request[3] = *value;
    send(client, request, sizeof request, MSG_NOSIGNAL);
    answers++;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0), one = 1;
    bind(listener, (void *)&address, length);
    listen(listener, 64);
    getsockname(listener, (void *)&address, &length);
    FILE *port = fopen("port.new", "w");
    fprintf(port, "%d", ntohs(address.sin_port));
    fclose(port);
    rename("port.new", "port");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[64];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    for (double start = now(); now() - start < 2.0; rounds++) {
        int count = epoll_wait(poll, events, 64, 100);
        for (int n = 0; n < count; n++) {
            if (events[n].data.fd != listener) {
                answer(events[n].data.fd);
                continue;
            }
            event.data.fd = accept(listener, NULL, NULL);
            setsockopt(event.data.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
        }
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "answers_per_second %.0f\nanswers_per_round %.1f\n", answers / 2.0, (double)answers / rounds);
    fclose(truth);
}
