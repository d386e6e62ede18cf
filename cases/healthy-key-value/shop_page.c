/* A page of a shop: sends some lines at a time to the store, and reads all answers. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int ask_page(int store, unsigned number)
{
    char lines[4096], answers[4096];
    int length = 0, wanted = 40, got = 0;
    for (int n = 0; n < wanted; n++)
        length += sprintf(lines + length, n % 8 ? "get cart-%u\n" : "set cart-%u 17\n", (number * 40 + n) * 7919 % 50000);
    if (write(store, lines, length) != length)
        return 0;
    while (got < wanted) {
        ssize_t size = read(store, answers, sizeof answers);
        if (size <= 0)
            return 0;
        for (ssize_t n = 0; n < size; n++)
            got += answers[n] == '\n';
    }
    return 1;
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "store.sock"};
    signal(SIGPIPE, SIG_IGN);
    int store = socket(AF_UNIX, SOCK_STREAM, 0);
    fclose(fopen("ready", "w"));
    while (connect(store, (struct sockaddr *)&address, sizeof address) != 0)
        usleep(5000);
    for (unsigned number = getpid(); ask_page(store, number); number++)
        ;
    pause();
    return 0;
}
