// A print spooler: waits for files in its folder (inotify), for a signal to stop, and for its own clock; checks each
// file as soon as it is there. Stops after the seconds of its argument.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int jobs, pages;

static void add(int loop, int file) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = file};
    epoll_ctl(loop, EPOLL_CTL_ADD, file, &event);
}

static void print_job(const char *name) {
    char path[300];
    static char text[65536];
    snprintf(path, sizeof path, "spool/%s", name);
    int file = open(path, O_RDONLY);
    if (file < 0) return;
    ssize_t size;
    while ((size = read(file, text, sizeof text)) > 0)
        for (ssize_t i = 0; i < size; i++) pages += text[i] == '\f';
    close(file);
    unlink(path);
    printf("%s: %d pages so far\n", name, pages);
    jobs++;
}

static void look_at_spool(int watch) {
    char buffer[4096] __attribute__((aligned(8)));
    ssize_t size = read(watch, buffer, sizeof buffer);
    for (char *at = buffer; at < buffer + size;) {
        struct inotify_event *event = (struct inotify_event *)at;
        if (event->len) print_job(event->name);
        at += sizeof *event + event->len;
    }
}

int main(int argc, char **argv) {
    int seconds = argc > 1 ? atoi(argv[1]) : 2;
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, NULL);
    mkdir("spool", 0755);
    int loop = epoll_create1(0), signals = signalfd(-1, &stop, 0), clock = timerfd_create(CLOCK_MONOTONIC, 0);
    int watch = inotify_init();
    inotify_add_watch(watch, "spool", IN_MOVED_TO | IN_CLOSE_WRITE);
    timerfd_settime(clock, 0, &(struct itimerspec){.it_value.tv_sec = seconds}, NULL);
    add(loop, signals);
    add(loop, clock);
    add(loop, watch);
    for (;;) {
        struct epoll_event event;
        if (epoll_wait(loop, &event, 1, -1) < 0 && errno != EINTR) return 1;
        if (event.data.fd != watch) break;
        look_at_spool(watch);
    }
    printf("%d jobs\n", jobs);
    return 0;
}
