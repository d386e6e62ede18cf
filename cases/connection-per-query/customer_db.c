// A database server: a login costs 3 ms of computing, a query nothing.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static unsigned check_password(const char *password) {
    unsigned hash = 1;
    for (clock_t until = clock() + CLOCKS_PER_SEC * 3 / 1000; clock() < until;)
        for (int n = 0; n < 1000; n++) hash = hash * 33 + password[0] + n;
    return hash;
}

static void serve(int client) {
    char text[256];
    if (read(client, text, sizeof text) > 0) {
        snprintf(text, sizeof text, "welcome %u\n", check_password(text));
        if (write(client, text, strlen(text)) < 0) return;
    }
    while (read(client, text, sizeof text) > 0)
        if (write(client, "Ada Lovelace\n", 13) < 0) return;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 16)) return 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    FILE *ready = fopen("ready.part", "w");
    fprintf(ready, "%d", ntohs(address.sin_port));
    fclose(ready);
    rename("ready.part", "ready");
    for (;;) {
        int client = accept(listener, NULL, NULL);
        serve(client);
        close(client);
    }
}
