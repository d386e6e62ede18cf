// Engraves the plates that arrive in its queue, one after the other.
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void engrave(const char *plate) {
    struct timespec needle = {0, (long)(25 + strlen(plate) % 5) * 1000 * 1000};
    nanosleep(&needle, NULL);
}

int main(void) {
    char name[100], plate[2048];
    snprintf(name, sizeof name, "/engraver-%d", (int)getpid());
    struct mq_attr shape = {.mq_maxmsg = 6, .mq_msgsize = sizeof plate};
    mqd_t queue = mq_open(name, O_RDONLY | O_CREAT | O_EXCL, 0600, &shape);
    if (queue == (mqd_t)-1) return perror(name), 1;
    FILE *f = fopen("queue", "w");
    fprintf(f, "%s\n", name);
    fclose(f);
    fclose(fopen("ready", "w"));
    while (mq_receive(queue, plate, sizeof plate, NULL) > 0) engrave(plate);
    return 0;
}
