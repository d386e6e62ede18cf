/* The yard as yesterday's program left it: it had both cranes when it crashed. */
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    int fd = open("slots.shm", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || ftruncate(fd, 4096))
        return 1;
    sem_t *s = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (s == MAP_FAILED || sem_init(s, 1, 2))
        return 1;
    sem_wait(s);
    sem_wait(s);
    _exit(0);
}
