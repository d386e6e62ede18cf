/* Checks the hosts of a network: six children probe them, and take a slot of the gateway for each probe. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROBERS = 6, SLOTS = 1 };

struct prober {
    long hosts;
    double waited;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void move_slot(int gateway, short by)
{
    struct sembuf change = {0, by, SEM_UNDO};
    while (semop(gateway, &change, 1))
        ;
}

static void take_slot(int gateway)
{
    move_slot(gateway, -1);
}

static void give_slot(int gateway)
{
    move_slot(gateway, 1);
}

static void await_echo(void)
{
    struct timespec t = {0, 15000000};
    nanosleep(&t, NULL);
}

static void probe_host(int gateway, struct prober *prober)
{
    double before = now();
    take_slot(gateway);
    prober->waited += now() - before;
    await_echo();
    give_slot(gateway);
    prober->hosts++;
}

static void run_prober(int gateway, struct prober *prober, double end)
{
    while (now() < end)
        probe_host(gateway, prober);
}

int main(void)
{
    struct prober *probers = mmap(NULL, PROBERS * sizeof *probers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int gateway = semget(IPC_PRIVATE, 1, 0600);
    if (gateway < 0 || semctl(gateway, 0, SETVAL, SLOTS)) {
        perror("gateway");
        return 1;
    }
    double start = now();
    for (int i = 0; i < PROBERS; i++)
        if (fork() == 0) {
            run_prober(gateway, &probers[i], start + 2);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    semctl(gateway, 0, IPC_RMID);
    double wall = now() - start, waited = 0;
    long hosts = 0;
    for (int i = 0; i < PROBERS; i++) {
        waited += probers[i].waited;
        hosts += probers[i].hosts;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "hosts %ld\nwaiting %.3f\n", hosts, waited / PROBERS / wall);
    fclose(truth);
    return 0;
}
