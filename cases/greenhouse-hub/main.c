/* A hub for the sensors of a greenhouse: 320 of them, each behind a socket. The loop watches those
   that are switched on at the moment, and adds up what they say. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SENSORS 320

struct sensor {
    int hub_end;
    int own_end;
    int enabled;
    long sum;
};

static struct sensor sensors[SENSORS];
static int poller;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void connect_sensors(void)
{
    for (int i = 0; i < SENSORS; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) {
            perror("socketpair");
            exit(1);
        }
        sensors[i] = (struct sensor){ends[0], ends[1], 1, 0};
    }
}

/* Watches exactly the sensors that are switched on now. */
static void watch_enabled(void)
{
    for (int i = 0; i < SENSORS; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)i};
        epoll_ctl(poller, EPOLL_CTL_DEL, sensors[i].hub_end, NULL);
        if (sensors[i].enabled)
            epoll_ctl(poller, EPOLL_CTL_ADD, sensors[i].hub_end, &event);
    }
}

static void measure(struct sensor *sensor, int value)
{
    if (write(sensor->own_end, &value, sizeof value) != sizeof value)
        perror("write");
}

static int collect(void)
{
    struct epoll_event events[16];
    int count = epoll_wait(poller, events, 16, 1000);
    for (int i = 0; i < count; i++) {
        struct sensor *sensor = &sensors[events[i].data.u32];
        int value;
        if (read(sensor->hub_end, &value, sizeof value) == sizeof value)
            sensor->sum += value;
    }
    return count;
}

int main(void)
{
    struct rlimit files = {4096, 4096};
    setrlimit(RLIMIT_NOFILE, &files);
    poller = epoll_create1(0);
    connect_sensors();
    double start = now(), watching = 0;
    long values = 0;
    unsigned turn = 0;
    while (now() - start < 2.0) {
        for (int k = 0; k < 4; k++)
            measure(&sensors[(turn * 37 + (unsigned)k * 71) % SENSORS], (int)(turn % 400));
        turn++;
        double before = now();
        watch_enabled();
        watching += now() - before;
        values += collect();
    }
    printf("%ld values in %u turns, %.3f of the time for the list of sensors\n", values, turn, watching / (now() - start));
    return 0;
}
