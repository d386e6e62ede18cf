// A virus scanner: whoever opens a file in the folder waits until it has looked at the file.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

// Looks for signatures for two milliseconds.
static void scan(int file) {
    char data[4096];
    volatile unsigned sum = 0;
    long long end = now_ns() + 2000000;
    while (now_ns() < end) {
        ssize_t got = pread(file, data, sizeof data, 0);
        for (ssize_t at = 0; at < got; at++) sum = sum * 31 + (unsigned char)data[at];
    }
}

int main(void) {
    mkdir("plugins", 0755);
    int all = fanotify_init(FAN_CLASS_CONTENT, O_RDONLY | O_CLOEXEC);
    if (all < 0 || fanotify_mark(all, FAN_MARK_ADD, FAN_OPEN_PERM | FAN_EVENT_ON_CHILD, AT_FDCWD, "plugins") < 0) {
        perror("fanotify");
        return 1;
    }
    fclose(fopen("ready", "w"));
    for (;;) {
        char events[8192] __attribute__((aligned(8)));
        ssize_t size = read(all, events, sizeof events);
        struct fanotify_event_metadata *event = (void *)events;
        for (; FAN_EVENT_OK(event, size); event = FAN_EVENT_NEXT(event, size)) {
            scan(event->fd);
            struct fanotify_response answer = {event->fd, FAN_ALLOW};
            if (write(all, &answer, sizeof answer) < 0) perror("answer");
            close(event->fd);
        }
    }
}
