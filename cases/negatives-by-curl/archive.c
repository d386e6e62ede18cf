/* An archive that takes uploads (HTTP PUT). It is simple: it reads the header, then the body, then answers. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int take_upload(FILE *in, int client)
{
    char line[1000];
    long size = 0, requests = 0;
    while (fgets(line, sizeof line, in)) {
        requests++;
        if (sscanf(line, "Content-Length: %ld", &size) == 1)
            continue;
        if (line[0] == '\r')
            break;
    }
    if (!requests)
        return 0;
    static char block[65536];
    while (size > 0) {
        size_t got = fread(block, 1, size < (long)sizeof block ? (size_t)size : sizeof block, in);
        if (!got)
            return 0;
        size -= got;
    }
    return dprintf(client, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n") > 0;
}

int main(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
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
        int client = accept(listener, NULL, NULL);
        FILE *in = fdopen(client, "r");
        while (take_upload(in, client)) {}
        fclose(in);
    }
}
