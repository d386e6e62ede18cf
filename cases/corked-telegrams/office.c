/* The next telegraph office: a receipt for each telegram. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

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
    fclose(fopen("ready", "w"));
    for (;;) {
        int client = accept(listener, NULL, NULL), number, size;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        FILE *in = fdopen(client, "r");
        while (fscanf(in, "TEL %d %d", &number, &size) == 2) {
            for (int i = 0; i <= size; i++)
                fgetc(in);
            dprintf(client, "RECEIVED %d\n", number);
        }
        fclose(in);
    }
}
