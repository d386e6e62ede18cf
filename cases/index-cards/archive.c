/* The archive: all its titles are in memory, and a process of its own answers each visitor. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char *titles;

static void answer(int c)
{
    char line[128], text[32];
    ssize_t n = read(c, line, sizeof line - 1);
    unsigned h = 5381;
    for (ssize_t i = 0; i < n && line[i] != '\n'; i++)
        h = h * 33 + (unsigned char)line[i];
    int k = snprintf(text, sizeof text, "shelf %d", (titles[h % (150u << 20)] + h) % 40);
    if (write(c, text, k) != k)
        _exit(1);
}

int main(void)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "archive.sock" };
    signal(SIGCHLD, SIG_IGN);
    titles = malloc(150u << 20);
    memset(titles, 7, 150u << 20);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(s, (void *)&a, sizeof a) || listen(s, 8))
        return 1;
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;) {
        int c = accept(s, 0, 0);
        pid_t pid = fork();
        if (pid == 0) {
            answer(c);
            _exit(0);
        }
        close(c);
    }
}
