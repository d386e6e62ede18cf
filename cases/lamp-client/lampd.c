/* The daemon of the street lamps: knows which lamps are on, and answers questions on a Unix socket. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int lamps[400];

static void tick(void)
{
    struct timespec pause = {0, 24 * 1000000};
    nanosleep(&pause, NULL);
}

static void answer(int client, const char *question)
{
    char text[64];
    int lamp = 0, length;
    if (sscanf(question, "toggle %d", &lamp) == 1 && lamp >= 0 && lamp < 400)
        lamps[lamp] ^= 1;
    length = snprintf(text, sizeof text, "lamp %d %s\n", lamp, lamps[lamp % 400] ? "on" : "off");
    if (write(client, text, (size_t)length) != length)
        perror("write");
}

static void dim_for_the_night(unsigned turn)
{
    lamps[turn % 400] &= 1;
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "lamps.sock"};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), client = -1;
    unlink(address.sun_path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0)
        return 1;
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (unsigned turn = 0;; turn++) {
        char question[128];
        if (client < 0)
            client = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (client >= 0) {
            ssize_t length = read(client, question, sizeof question - 1);
            if (length > 0) {
                question[length] = 0;
                answer(client, question);
            } else if (length == 0) {
                close(client);
                client = -1;
            }
        }
        dim_for_the_night(turn);
        tick();
    }
}
