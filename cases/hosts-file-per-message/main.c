// Sends measurements by UDP to a collector on this machine, and resolves the collector's name for every one of them; the
// C library opens and reads /etc/hosts each time.
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double resolving;
static const char *port;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static struct addrinfo *find_collector(void) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found = NULL;
    double before = now();
    int error = getaddrinfo("localhost", port, &hints, &found);
    resolving += now() - before;
    if (error != 0) {
        fprintf(stderr, "localhost: %s\n", gai_strerror(error));
        exit(1);
    }
    return found;
}

static void send_measurement(int socket, int number) {
    char text[64];
    struct addrinfo *collector = find_collector();
    int length = snprintf(text, sizeof text, "sensor-%d:%d|g", number % 20, number * 37 % 1000);
    sendto(socket, text, length, 0, collector->ai_addr, collector->ai_addrlen);
    freeaddrinfo(collector);
}

int main(void) {
    int collector = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_storage address = {.ss_family = AF_INET};
    socklen_t size = sizeof address;
    char digits[16];
    bind(collector, (struct sockaddr *)&address, size);
    getsockname(collector, (struct sockaddr *)&address, &size);
    getnameinfo((struct sockaddr *)&address, size, NULL, 0, digits, sizeof digits, NI_NUMERICSERV | NI_NUMERICHOST);
    port = digits;
    double start = now();
    int sent = 0;
    while (now() - start < 2) {
        send_measurement(sender, sent++);
        char text[64];
        recv(collector, text, sizeof text, MSG_DONTWAIT);
    }
    double wall = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "resolving %.3f\nmeasurements %d\nus_per_measurement %.1f\n", resolving / wall, sent, 1e6 * wall / sent);
    return fclose(truth);
}
