/* A harbour office: ships ring in bursts over a socket; the office answers each ring. Waits with an edge-triggered epoll,
   and wakes at least every 400 ms to look at the tide. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { RING = 32 };
static int tide_checks;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Each ship sends two rings at once, and the next two when both are answered. */
static void *ship(void *socket)
{
    int line = *(int *)socket;
    char rings[2 * RING] = "ahoy", answer[RING];
    while (send(line, rings, sizeof rings, MSG_NOSIGNAL) == sizeof rings)
        for (int i = 0; i < 2; i++)
            if (recv(line, answer, sizeof answer, MSG_WAITALL) != sizeof answer)
                return NULL;
    return NULL;
}

__attribute__((noinline)) static int wait_for_ring(int epoll)
{
    struct epoll_event event;
    return epoll_wait(epoll, &event, 1, 400);
}

__attribute__((noinline)) static int answer_ring(int line)
{
    char ring[RING];
    if (read(line, ring, sizeof ring) != sizeof ring)
        return 0;
    return write(line, ring, sizeof ring) == sizeof ring;
}

int main(void)
{
    int ends[2], epoll = epoll_create1(0), rings = 0;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
    pthread_t thread;
    pthread_create(&thread, NULL, ship, &ends[1]);
    pthread_setname_np(thread, "ship");
    double start = now(), waited = 0;
    while (now() - start < 2.0) {
        double before = now();
        if (!wait_for_ring(epoll))
            tide_checks++;
        waited += now() - before;
        rings += answer_ring(ends[0]);
    }
    shutdown(ends[0], SHUT_RDWR);
    pthread_join(thread, NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "rings %d\nwaiting %.3f\ntime_outs %d\n", rings, waited / (now() - start), tide_checks);
    return fclose(truth);
}
