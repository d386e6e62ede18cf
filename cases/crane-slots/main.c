/* Loads lorries with one of the cranes of a yard. Who may use one is known from a semaphore in slots.shm. */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static double queued;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static sem_t *open_yard(void)
{
    int fd = open("slots.shm", O_RDWR);
    if (fd < 0) {
        perror("slots.shm");
        exit(1);
    }
    sem_t *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (s == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    close(fd);
    return s;
}

static int take_crane(sem_t *cranes)
{
    double t = now();
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 420 * 1000 * 1000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    int ok = 0;
    while ((ok = sem_timedwait(cranes, &until)) && errno == EINTR)
        ;
    queued += now() - t;
    return ok == 0;
}

static long plan_load(int lorry)
{
    long best = 0;
    for (long i = 1; i < 9000000; i++) {
        long v = (i * 7919 + lorry) % 10007;
        if (v > best)
            best = v;
    }
    return best;
}

int main(void)
{
    double start = now();
    sem_t *cranes = open_yard();
    int lorries = 0, by_hand = 0;
    while (now() - start < 2.0) {
        int crane = take_crane(cranes);
        if (!crane)
            by_hand++;
        long load = plan_load(lorries++);
        printf("lorry %d: %ld%s\n", lorries, load, crane ? "" : ", by hand");
        if (crane)
            sem_post(cranes);
    }
    FILE *truth = fopen("truth", "w");
    if (truth) {
        fprintf(truth, "share %.3f\nlorries %d\n", queued / (now() - start), lorries);
        fclose(truth);
    }
    return by_hand < 0;
}
