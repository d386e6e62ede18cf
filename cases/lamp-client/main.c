/* Switches the lamps of a street on for the evening, one after the other, and notes what the daemon says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int dial(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, name, sizeof address.sun_path - 1);
    int line = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(line, (struct sockaddr *)&address, sizeof address) != 0) {
        perror(name);
        exit(1);
    }
    return line;
}

static int toggle(int line, int lamp, double *waited)
{
    char text[64];
    int length = snprintf(text, sizeof text, "toggle %d\n", lamp);
    if (write(line, text, (size_t)length) != length)
        return -1;
    double before = now();
    ssize_t got = read(line, text, sizeof text - 1);
    *waited += now() - before;
    if (got <= 0)
        return -1;
    text[got] = 0;
    return strstr(text, " on\n") != NULL;
}

int main(void)
{
    int line = dial("lamps.sock"), on = 0, lamps = 0;
    double start = now(), waited = 0;
    while (now() - start < 2.0)
        on += toggle(line, lamps++ % 400, &waited) == 1;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", waited / (now() - start));
    fclose(truth);
    printf("%d of %d lamps are on\n", on, lamps);
    return 0;
}
