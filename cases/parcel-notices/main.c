/* Notices about parcels come through a POSIX message queue. The desk asks the kernel to be told
   about each message (mq_notify), books the notice, and says so to the sorter. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct notice {
    int parcel;
    int depot;
    int grams;
};

static mqd_t queue;
static char queue_name[64];
static sem_t booked;
static long weight_of[64];
static long notices;

static void notice_arrived(union sigval unused);

static void listen_for_next(void)
{
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = notice_arrived;
    if (mq_notify(queue, &event) != 0)
        perror("mq_notify");
}

static void book(const struct notice *notice)
{
    weight_of[notice->depot % 64] += notice->grams;
    notices++;
}

static void notice_arrived(union sigval unused)
{
    (void)unused;
    struct notice notice;
    listen_for_next();
    while (mq_receive(queue, (char *)&notice, sizeof notice, NULL) == sizeof notice) {
        book(&notice);
        sem_post(&booked);
    }
}

static void send_notice(int number)
{
    struct notice notice = {number, number * 7, 200 + number % 900};
    if (mq_send(queue, (const char *)&notice, sizeof notice, 0) != 0)
        perror("mq_send");
    while (sem_wait(&booked) != 0 && errno == EINTR)
        ;
}

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(void)
{
    snprintf(queue_name, sizeof queue_name, "/parcel-notices-%d", (int)getpid());
    struct mq_attr attributes = {.mq_maxmsg = 8, .mq_msgsize = sizeof(struct notice)};
    queue = mq_open(queue_name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0600, &attributes);
    if (queue == (mqd_t)-1) {
        perror("mq_open");
        return 1;
    }
    mq_unlink(queue_name);
    sem_init(&booked, 0, 0);
    listen_for_next();
    double start = clock_now();
    int number = 0;
    while (clock_now() - start < 2.0)
        send_notice(number++);
    printf("%ld notices, depot 7 has %ld g\n", notices, weight_of[7]);
    return 0;
}
