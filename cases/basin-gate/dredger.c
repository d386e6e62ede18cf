// The dredger's program: it needs the basin again and again, and for long.
#include "basin.h"
#include <stdio.h>
#include <time.h>

static void pause_for(long milliseconds) {
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static void dredge(struct basin *basin) {
    while (sem_wait(&basin->permit) != 0)
        ;
    pause_for(170);
    sem_post(&basin->permit);
}

int main(void) {
    struct basin *basin = map_basin(1);
    if (!basin)
        return 1;
    sem_init(&basin->permit, 1, 1);
    sem_wait(&basin->permit);
    fclose(fopen("ready", "w"));
    pause_for(100);
    sem_post(&basin->permit);
    for (;;) {
        dredge(basin);
        pause_for(2);
    }
}
