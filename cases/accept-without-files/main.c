// A status server: one thread, poll(2), a file descriptor for every visitor.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { VISITORS = 40 };

static struct pollfd files[VISITORS + 1];
static int used = 1, served;
static long failed_accepts;

static void accept_visitor(void) {
    int visitor = accept4(files[0].fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (visitor < 0) {
        failed_accepts++;
        return;
    }
    files[used++] = (struct pollfd){.fd = visitor, .events = POLLIN};
}

static void answer_visitor(int n) {
    char question[100];
    static const char answer[] = "all systems up\n";
    if (read(files[n].fd, question, sizeof question) > 0) {
        if (write(files[n].fd, answer, sizeof answer - 1) < 0) perror("write");
        return;
    }
    close(files[n].fd);
    files[n] = files[--used];
    served++;
}

static void serve(void) {
    while (served < VISITORS) {
        poll(files, used, -1);
        for (int n = used - 1; n > 0; n--)
            if (files[n].revents) answer_visitor(n);
        if (files[0].revents) accept_visitor();
    }
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (bind(listener, (void *)&address, length) || listen(listener, 100)) return 1;
    getsockname(listener, (void *)&address, &length);
    files[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    FILE *port = fopen("port.part", "w");
    fprintf(port, "%d", ntohs(address.sin_port));
    fclose(port);
    rename("port.part", "port");
    serve();
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "failed_accepts %ld\nserved %d\n", failed_accepts, served);
    fclose(truth);
}
