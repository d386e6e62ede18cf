/* The porter sends a notice now and then. Usage: porter QUEUE */
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct notice {
    int room;
    char text[60];
};

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    mq_unlink(argv[1]);
    struct mq_attr attributes = {.mq_maxmsg = 8, .mq_msgsize = sizeof(struct notice)};
    mqd_t queue = mq_open(argv[1], O_WRONLY | O_CREAT | O_NONBLOCK, 0600, &attributes);
    if (queue == (mqd_t)-1)
        return 1;
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (int i = 0;; i++) {
        struct notice notice = {100 + i % 40, "a parcel is at the desk"};
        usleep(230000);
        mq_send(queue, (const char *)&notice, sizeof notice, 0);
    }
}
