/* The cash desk counts the bookings while it has the book. */
#include <fcntl.h>
#include <unistd.h>

static void set_lock(int fd, short kind)
{
    struct flock l = { .l_type = kind, .l_whence = SEEK_SET };
    fcntl(fd, F_SETLKW, &l);
}

int main(void)
{
    int fd = open("rink.book", O_RDWR | O_CREAT | O_APPEND, 0644);
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;) {
        set_lock(fd, F_WRLCK);
        usleep(160 * 1000);
        set_lock(fd, F_UNLCK);
        usleep(10 * 1000);
    }
}
