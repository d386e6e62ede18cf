// Has the only seat of the licence while its user looks at a drawing, until 1.7 s after somebody else wants it.
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int file = open("licence.shm", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 4096) != 0) return 1;
    sem_t *seats = mmap(NULL, sizeof *seats, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    sem_init(seats, 1, 1);
    sem_wait(seats);
    close(creat("ready", 0600));
    while (access("asked", F_OK) != 0) usleep(5000);
    usleep(1700000);
    sem_post(seats);
    sleep(30);
}
