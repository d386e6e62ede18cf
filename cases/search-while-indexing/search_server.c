/* Finds articles. The index is in a file, which it locks while it reads. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

__attribute__((noinline)) static int look_up(const char *word, char *answer, size_t size)
{
    int index = open("articles.index", O_RDWR | O_CREAT, 0644);
    char block[4096] = "";
    flock(index, LOCK_SH);
    if (pread(index, block, sizeof block - 1, 0) < 0)
        perror("articles.index");
    close(index);
    return snprintf(answer, size, "%s-1,%s-2,%s-%c\n", word, word, word, block[0] ? block[0] : 'x');
}

int main(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, 5);
    getsockname(listener, (struct sockaddr *)&address, &length);
    FILE *port = fopen("port", "w");
    fprintf(port, "%d\n", ntohs(address.sin_port));
    fclose(port);
    for (;;) {
        int client = accept(listener, NULL, NULL);
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        char word[200], answer[1000];
        ssize_t got;
        while ((got = read(client, word, sizeof word - 1)) > 0) {
            word[strcspn(word, "\n") < (size_t)got ? strcspn(word, "\n") : (size_t)got] = '\0';
            int size = look_up(word, answer, sizeof answer);
            if (write(client, answer, size) != size)
                perror("write");
        }
        close(client);
    }
}
