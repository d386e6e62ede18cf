// Asks the register of a lost property office, over a Unix socket, who has lost each pair of gloves that was found.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double asking;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int owner_of(FILE *office, int gloves) {
    char answer[80];
    double before = now();
    fprintf(office, "gloves %d\n", gloves);
    fflush(office);
    if (!fgets(answer, sizeof answer, office)) exit(1);
    asking += now() - before;
    return atoi(answer);
}

int main(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "register.sock"};
    int talk = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(talk, (struct sockaddr *)&to, sizeof to)) return perror("register.sock"), 1;
    FILE *office = fdopen(talk, "r+");
    double start = now();
    int gloves = 0;
    long owners = 0;
    while (now() < start + 2) owners += owner_of(office, gloves++);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\ngloves %d\nowners %ld\n", asking / (now() - start), gloves, owners);
    fclose(truth);
}
