/* Sends a piece of music to a loudspeaker in the network, in datagrams. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double paused;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static int open_loudspeaker(struct sockaddr_in *address) {
    socklen_t length = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)address, sizeof *address) != 0 || getsockname(fd, (struct sockaddr *)address, &length) != 0) {
        perror("loudspeaker");
        exit(1);
    }
    return fd;
}

/* The loudspeaker must not drown in datagrams. */
static void pause_a_little(void) {
    double before = seconds();
    usleep(1);
    paused += seconds() - before;
}

static void send_sound(int fd, const struct sockaddr_in *address, const short *samples) {
    if (sendto(fd, samples, 240, 0, (const struct sockaddr *)address, sizeof *address) < 0)
        perror("sendto");
    pause_a_little();
}

int main(void) {
    struct sockaddr_in address;
    int loudspeaker = open_loudspeaker(&address), fd = socket(AF_INET, SOCK_DGRAM, 0);
    short samples[120];
    char heard[512];
    long sent = 0, received = 0;
    double start = seconds();
    while (seconds() - start < 2) {
        for (int i = 0; i < 120; i++)
            samples[i] = (short)(sent * 120 + i * 440);
        send_sound(fd, &address, samples);
        sent++;
        received += recv(loudspeaker, heard, sizeof heard, MSG_DONTWAIT) > 0;
    }
    double wall = seconds() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "pauses %.3f\nsent %ld\nreceived %ld\nmicroseconds_each %.1f\n", paused / wall, sent, received, paused / sent * 1e6);
    return fclose(truth);
}
