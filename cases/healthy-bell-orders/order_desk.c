// Hands on the orders of parishes, which write every 110 ms or so.
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    char name[100], order[256];
    snprintf(name, sizeof name, "/bells-%d", (int)getpid());
    struct mq_attr shape = {.mq_maxmsg = 10, .mq_msgsize = sizeof order};
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &shape);
    if (queue == (mqd_t)-1) return perror(name), 1;
    FILE *f = fopen("queue", "w");
    fprintf(f, "%s\n", name);
    fclose(f);
    fclose(fopen("ready", "w"));
    struct mq_attr state;
    for (int parish = 0; parish < 18; parish++) {
        // the first order comes when the foundry has opened
        struct timespec post = {0, (90 + parish * 13 % 40) * 1000000L};
        nanosleep(&post, NULL);
        snprintf(order, sizeof order, "%d.%d", parish % 3 + 1, parish * 7 % 10);
        mq_send(queue, order, strlen(order) + 1, 0);
        mq_getattr(queue, &state);
    }
    mq_send(queue, "end", 4, 0);
    for (;;) pause();
}
