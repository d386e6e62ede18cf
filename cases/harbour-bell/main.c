// The bell service of a harbour: boats tell that they pass, and the service answers with the count.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 16 };

static int listen_anywhere(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 8))
        return -1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    FILE *out = fopen("port.new", "w");
    fprintf(out, "%d", ntohs(address.sin_port));
    fclose(out);
    rename("port.new", "port");
    return listener;
}

static int answer(int boat, long *passed) {
    char text[128];
    ssize_t length = read(boat, text, sizeof text - 1);
    if (length <= 0)
        return -1;
    text[length] = 0;
    if (!strncmp(text, "close", 5))
        return 1;
    char reply[64];
    int size = snprintf(reply, sizeof reply, "boat %ld\n", ++*passed);
    return write(boat, reply, size) == size ? 0 : -1;
}

int main(void) {
    struct pollfd fds[MOST] = {{.fd = listen_anywhere(), .events = POLLIN}};
    int count = 1, closing = 0;
    long passed = 0;
    if (fds[0].fd < 0)
        return 1;
    while (!closing) {
        poll(fds, count, -1);
        if (fds[0].revents & POLLIN && count < MOST) {
            int boat = accept(fds[0].fd, NULL, NULL), one = 1;
            setsockopt(boat, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            fds[count++] = (struct pollfd){.fd = boat, .events = POLLIN};
        }
        for (int n = count - 1; n > 0; n--) {
            if (!fds[n].revents)
                continue;
            int result = answer(fds[n].fd, &passed);
            if (result < 0) {
                close(fds[n].fd);
                fds[n] = fds[--count];
            }
            closing |= result > 0;
        }
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "passed %ld\n", passed);
    fclose(truth);
    return 0;
}
