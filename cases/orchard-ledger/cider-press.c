/* The cider press: reads the ledger under its lock, and thinks for a while about what to press. */
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

int main(void)
{
    int fd = open("crates.ledger", O_RDWR | O_CREAT, 0644);
    int first = 1;
    for (;;) {
        flock(fd, LOCK_EX);
        if (first)
            close(open("ready", O_CREAT | O_WRONLY, 0644));
        first = 0;
        usleep(170 * 1000);
        flock(fd, LOCK_UN);
        usleep(5 * 1000);
    }
}
