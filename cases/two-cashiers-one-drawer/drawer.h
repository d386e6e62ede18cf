/* The drawer of a till, in memory that processes share. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct drawer {
    pthread_mutex_t mutex;
    long cents, sales;
};

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static inline struct drawer *open_drawer(void)
{
    int file = open("drawer.shm", O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof(struct drawer)))
        exit(1);
    return mmap(NULL, sizeof(struct drawer), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

static inline void lock_drawer(struct drawer *drawer)
{
    if (pthread_mutex_lock(&drawer->mutex) == EOWNERDEAD)
        pthread_mutex_consistent(&drawer->mutex);
}
