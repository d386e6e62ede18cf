/* The camera's service has got stuck: it listens, but takes no connection, and its queue is full. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t n = sizeof a;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(s, (void *)&a, sizeof a) || listen(s, 1) || getsockname(s, (void *)&a, &n))
        return 1;
    for (int i = 0; i < 4; i++) {
        int c = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(c, (void *)&a, sizeof a);
        usleep(5000);
    }
    FILE *f = fopen("port", "w");
    fprintf(f, "%d\n", ntohs(a.sin_port));
    fclose(f);
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;)
        pause();
}
