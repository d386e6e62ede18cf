// The ticket office: serves one visitor after the other, and rests after each; two may stand in the queue.
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    int office = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "office.sock"};
    unlink(name.sun_path);
    bind(office, (struct sockaddr *)&name, sizeof name);
    listen(office, 0);
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;) {
        int visitor = accept(office, NULL, NULL);
        char wish[16];
        nanosleep(&(struct timespec){0, 12000000}, NULL);
        if (read(visitor, wish, sizeof wish) > 0) write(visitor, "ticket", 6);
        close(visitor);
    }
}
