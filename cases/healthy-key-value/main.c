/* A store of keys and values in memory: answers its clients on a Unix socket, as fast as they ask. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define SLOTS (1 << 17)
#define CLIENTS 8

struct entry {
    char key[24];
    uint32_t value;
};

static struct entry table[SLOTS];
static long answered;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static struct entry *find_entry(const char *key)
{
    uint32_t hash = 2166136261u;
    for (const char *c = key; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    uint32_t slot = hash % SLOTS;
    while (table[slot].key[0] && strcmp(table[slot].key, key) != 0)
        slot = (slot + 1) % SLOTS;
    return &table[slot];
}

static int answer_line(const char *line, char *answer)
{
    char key[24];
    uint32_t value;
    if (sscanf(line, "set %23s %u", key, &value) == 2) {
        struct entry *e = find_entry(key);
        strcpy(e->key, key);
        e->value = value;
        return sprintf(answer, "stored\n");
    }
    if (sscanf(line, "get %23s", key) == 1)
        return sprintf(answer, "%u\n", find_entry(key)->value);
    return sprintf(answer, "what?\n");
}

/* Reads what a client has sent, some lines at a time, and answers all of them by one write. */
static int serve(int client)
{
    char lines[8192], answers[65536];
    ssize_t length = read(client, lines, sizeof lines - 1);
    if (length <= 0)
        return 0;
    lines[length] = '\0';
    char *rest = lines, *line, *out = answers;
    while ((line = strsep(&rest, "\n")) != NULL && *line) {
        out += answer_line(line, out);
        answered++;
    }
    return write(client, answers, out - answers) == out - answers;
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "store.sock"};
    struct pollfd watched[CLIENTS + 1];
    int count = 1, listener = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&address, sizeof address);
    listen(listener, CLIENTS);
    watched[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    double start = now();
    while (now() - start < 2) {
        if (poll(watched, count, 100) < 0)
            break;
        for (int n = count - 1; n >= 1; n--)
            if (watched[n].revents && !serve(watched[n].fd)) {
                close(watched[n].fd);
                watched[n] = watched[--count];
            }
        if (watched[0].revents && count <= CLIENTS)
            watched[count++] = (struct pollfd){.fd = accept(listener, NULL, NULL), .events = POLLIN};
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "answered %ld\nper_second %.0f\n", answered, answered / (now() - start));
    fclose(truth);
    return 0;
}
