// Keeps prices in memory for the programs of this machine: a request lists articles, the reply lists their prices.
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int read_all(int socket, void *to, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t n = read(socket, (char *)to + got, size - got);
        if (n <= 0) return -1;
        got += (size_t)n;
    }
    return 0;
}

int main(void) {
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {AF_UNIX, "prices.sock"};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 5)) return perror("prices.sock"), 1;
    fclose(fopen("ready", "w"));
    for (;;) {
        int client = accept(listener, NULL, NULL);
        static uint32_t articles[4096], prices[4096];
        uint32_t count;
        while (!read_all(client, &count, sizeof count) && count <= 4096 && !read_all(client, articles, count * 4)) {
            for (uint32_t i = 0; i < count; i++) prices[i] = articles[i] * 2654435761u % 9000 + 100;
            if (write(client, prices, count * 4) != (ssize_t)count * 4) break;
        }
        close(client);
    }
}
