// The pilot's radio: waits for calls (datagrams) by epoll, with a timer and a signal, and writes a line for each call.
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

static void add(int all, int file) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = file};
    epoll_ctl(all, EPOLL_CTL_ADD, file, &event);
}

static int next_event(int all) {
    struct epoll_event event;
    return epoll_wait(all, &event, 1, -1) == 1 ? event.data.fd : -1;
}

static void answer_call(int radio, FILE *book) {
    char call[200];
    int length = recv(radio, call, sizeof call, 0);
    if (length > 0) fprintf(book, "call: %.*s\n", length, call);
}

int main(void) {
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL);
    int all = epoll_create1(0), signals = signalfd(-1, &end, 0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    int radio = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "radio.sock"};
    unlink(name.sun_path);
    bind(radio, (struct sockaddr *)&name, sizeof name);
    struct itimerspec watch = {{0, 0}, {2, 200000000}};
    timerfd_settime(timer, 0, &watch, NULL);
    add(all, signals), add(all, timer), add(all, radio);
    FILE *book = fopen("calls.txt", "w");
    int file;
    while ((file = next_event(all)) == radio) answer_call(radio, book);
    fprintf(book, "%s\n", file == timer ? "watch is over" : "called off");
    return fclose(book);
}
