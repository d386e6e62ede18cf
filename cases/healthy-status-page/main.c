/* Shows how the machine is: a small web server that runs until somebody has looked at it for two seconds. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static int listen_somewhere(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 64) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        perror("listen");
        exit(1);
    }
    FILE *port = fopen("port.new", "w");
    fprintf(port, "%d\n", ntohs(address.sin_port));
    fclose(port);
    rename("port.new", "port");
    return fd;
}

static void show_status(int fd) {
    double load[3] = {0};
    getloadavg(load, 3);
    char page[256];
    int length = snprintf(page, sizeof page, "<html>load %.2f %.2f %.2f</html>\n", load[0], load[1], load[2]);
    dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", length, page);
}

int main(void) {
    int listener = listen_somewhere(), all = epoll_create1(0), answers = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(all, EPOLL_CTL_ADD, listener, &event);
    double start = seconds(), busy = 0;
    while (answers < 2 || seconds() - start < 2) {
        if (epoll_wait(all, &event, 1, -1) < 1)
            continue;
        double before = seconds();
        if (event.data.fd == listener) {
            struct epoll_event visitor = {.events = EPOLLIN, .data.fd = accept(listener, NULL, NULL)};
            epoll_ctl(all, EPOLL_CTL_ADD, visitor.data.fd, &visitor);
        } else {
            char request[4096];
            if (read(event.data.fd, request, sizeof request) > 0) {
                show_status(event.data.fd);
                answers++;
            }
            close(event.data.fd);
        }
        busy += seconds() - before;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "busy %.5f\nanswers %d\n", busy / (seconds() - start), answers);
    return fclose(truth);
}
