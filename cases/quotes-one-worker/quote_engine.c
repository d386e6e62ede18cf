/* Computes what a travel insurance costs: one question and one answer per line, for many shops. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64 };

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static unsigned compute_quote(unsigned age) {
    double until = cpu_seconds() + 0.012;
    unsigned risk = age;
    while (cpu_seconds() < until)
        for (int i = 0; i < 1000; i++)
            risk = risk * 1103515245u + age;
    return risk % 9000 + 1000;
}

static int serve(int fd) {
    char line[64] = "";
    ssize_t got = read(fd, line, sizeof line - 1);
    if (got <= 0) {
        close(fd);
        return -1;
    }
    dprintf(fd, "%u\n", compute_quote((unsigned)atoi(line)));
    return fd;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return 1;
    FILE *port = fopen("port", "w");
    fprintf(port, "%d\n", ntohs(address.sin_port));
    fclose(port);
    fclose(fopen("ready", "w"));
    struct pollfd shops[MOST] = {{listener, POLLIN, 0}};
    for (int used = 1; poll(shops, used, -1) > 0;) {
        for (int i = 1; i < used; i++)
            if (shops[i].revents)
                shops[i].fd = serve(shops[i].fd);
        if (shops[0].revents && used < MOST)
            shops[used++] = (struct pollfd){accept(listener, NULL, NULL), POLLIN, 0};
    }
    return 0;
}
