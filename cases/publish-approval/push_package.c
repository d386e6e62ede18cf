/* Announces a package, and waits until it is approved. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int connect_to(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
    return fd;
}

static int await_approval(int fd) {
    char answer[64] = "";
    ssize_t got = recv(fd, answer, sizeof answer - 1, 0);
    return got > 0 && strncmp(answer, "approved", 8) == 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int fd = connect_to(atoi(argv[1]));
    if (dprintf(fd, "publish %s\n", argv[2]) < 0)
        return 1;
    int approved = await_approval(fd);
    close(fd);
    return approved ? 0 : 1;
}
