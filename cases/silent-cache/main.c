// Asks a cache for each of six pages, and makes the page itself when no answer comes within 0.3 s.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double ask_cache(int port, const char *page) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval patience = {.tv_usec = 300000};
    char answer[100];
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    int talk = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(talk, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(talk, (struct sockaddr *)&to, sizeof to)) { perror("connect"); exit(1); }
    double before = now();
    send(talk, page, strlen(page), 0);
    long got = recv(talk, answer, sizeof answer, 0);
    close(talk);
    return got < 0 ? now() - before : 0;
}

static unsigned make_page(unsigned seed) {
    for (int n = 0; n < 3000000; n++) seed = seed * 1664525 + 1013904223;
    return seed;
}

int main(void) {
    int port = 0;
    FILE *file = fopen("port", "r");
    if (!file || fscanf(file, "%d", &port) != 1) return 1;
    double start = now(), waited = 0;
    unsigned sum = 0;
    for (int n = 0; n < 6; n++) {
        waited += ask_cache(port, "get page\n");
        sum += make_page(n);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nsum %u\n", waited / (now() - start), sum);
    fclose(truth);
}
