#define _GNU_SOURCE
// Sends each request in two small writes. The second waits for the acknowledgement of the first
// (Nagle's algorithm), which the other side delays by 40 ms.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void *echo_server(void *listener) {
    char request[64];
    int client = accept(*(int *)listener, NULL, NULL);
    for (int got = 0;;) {
        int n = recv(client, request + got, sizeof request - got, 0);
        if (n <= 0) return NULL;
        got += n;
        if (got == 24) send(client, "done", 4, 0), got = 0;
    }
}

static double send_request(int server) {
    char reply[4];
    double before = now();
    send(server, "header--", 8, 0);
    send(server, "body------------", 16, 0);
    recv(server, reply, sizeof reply, MSG_WAITALL);
    return now() - before;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), server = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (void *)&address, length);
    listen(listener, 1);
    getsockname(listener, (void *)&address, &length);
    pthread_t thread;
    pthread_create(&thread, NULL, echo_server, &listener);
    pthread_setname_np(thread, "echo-server");
    connect(server, (void *)&address, length);
    int requests = 0, slow = 0;
    double start = now(), waited = 0;
    for (; now() - start < 2.0; requests++) {
        double took = send_request(server);
        waited += took;
        slow += took > 0.03;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nrequests %d\nof_these_40_ms %d\n", waited / (now() - start), requests, slow);
    fclose(truth);
    close(server);
    pthread_join(thread, NULL);
}
