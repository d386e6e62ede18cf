// Takes what one client after the other sends, and throws it away.
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    static char data[1 << 16];
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (void *)&address, length);
    listen(listener, 8);
    getsockname(listener, (void *)&address, &length);
    FILE *port = fopen("port", "w");
    fprintf(port, "%d", ntohs(address.sin_port));
    fclose(port);
    fclose(fopen("ready", "w"));
    for (;;) {
        int client = accept(listener, NULL, NULL);
        while (recv(client, data, sizeof data, 0) > 0) {}
        close(client);
    }
}
