// Sends pictures to a display through a Unix socket that does not block. When the socket is full, it tries again at
// once.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static long full, sends;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void send_picture(int display) {
    static char picture[100000];
    for (size_t sent = 0; sent < sizeof picture;) {
        long done = send(display, picture + sent, sizeof picture - sent, MSG_NOSIGNAL);
        if (done > 0) sent += done, sends++;
        else if (errno == EAGAIN) full++;
        else return;
    }
}

int main(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "display"};
    int display = socket(AF_UNIX, SOCK_STREAM, 0), pictures = 0;
    if (connect(display, (void *)&address, sizeof address)) return perror("display"), 1;
    fcntl(display, F_SETFL, O_NONBLOCK);
    double start = now(CLOCK_MONOTONIC);
    for (; now(CLOCK_MONOTONIC) - start < 2.0; pictures++) send_picture(display);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "pictures %d\nsends %ld\nfull %ld\ncpu %.3f\n", pictures, sends, full,
        now(CLOCK_PROCESS_CPUTIME_ID) / (now(CLOCK_MONOTONIC) - start));
    fclose(truth);
}
