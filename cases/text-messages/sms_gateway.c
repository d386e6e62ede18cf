/* Takes text messages, and hands each to a modem, which needs 35 ms. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static void dial_modem(const char *message)
{
    struct timespec pulse = {0, 35 * 1000 * 1000};
    if (message[0] == '+')
        nanosleep(&pulse, NULL);
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "gateway.sock"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 5);
    fclose(fopen("ready", "w"));
    for (;;) {
        int client = accept(listener, NULL, NULL);
        char message[300];
        ssize_t length;
        while ((length = read(client, message, sizeof message)) > 0) {
            dial_modem(message);
            if (write(client, "accepted\n", 9) != 9)
                perror("write");
        }
        close(client);
    }
}
