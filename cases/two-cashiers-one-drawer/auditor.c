/* The auditor counts the drawer again and again; a count takes 60 ms by hand, and nobody may use the drawer meanwhile. */
#include "drawer.h"

static void count_by_hand(struct drawer *drawer)
{
    struct timespec count = {0, 60 * 1000 * 1000};
    lock_drawer(drawer);
    nanosleep(&count, NULL);
    drawer->cents = drawer->cents / 5 * 5;
    pthread_mutex_unlock(&drawer->mutex);
}

int main(void)
{
    struct drawer *drawer = open_drawer();
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&drawer->mutex, &shared);
    fclose(fopen("ready", "w"));
    for (;;) {
        struct timespec pause = {0, 300 * 1000};
        count_by_hand(drawer);
        nanosleep(&pause, NULL);
    }
}
