// Four pupils (processes) practise; there is one piano, and each piece takes some milliseconds at it.
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void take_piano(int room) {
    struct sembuf take = {0, -1, 0};
    semop(room, &take, 1);
}

static void leave_piano(int room) {
    struct sembuf leave = {0, 1, 0};
    semop(room, &leave, 1);
}

static void play_piece(void) {
    nanosleep(&(struct timespec){0, 6000000}, NULL);
}

static void practise(int room, int pieces) {
    while (pieces--) {
        take_piano(room);
        play_piece();
        leave_piano(room);
    }
}

int main(void) {
    int room = semget(IPC_PRIVATE, 1, 0600);
    leave_piano(room);
    double start = now();
    for (int pupil = 0; pupil < 4; pupil++)
        if (fork() == 0) {
            char name[16];
            snprintf(name, sizeof name, "pupil-%d", pupil);
            prctl(PR_SET_NAME, name);
            practise(room, 85);
            _exit(0);
        }
    while (wait(NULL) > 0) {}
    semctl(room, 0, IPC_RMID);
    printf("%.2f s\n", now() - start);
}
