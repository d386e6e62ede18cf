/* A build step for the assets of a game: looks which sources changed, and calls a packer for each target. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SOURCES 2500

extern char **environ;
static double scanning, packing;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void make_sources(void)
{
    char name[60];
    mkdir("assets", 0755);
    for (int n = 0; n < SOURCES; n++) {
        snprintf(name, sizeof name, "assets/sprite-%04d.png", n);
        fclose(fopen(name, "w"));
    }
}

/* The date of the newest source, looked up anew for each target and each of its four qualities. */
__attribute__((noinline)) static time_t newest_source(void)
{
    double before = now();
    time_t newest = 0;
    char name[60];
    for (int quality = 0; quality < 4; quality++)
        for (int n = 0; n < SOURCES; n++) {
            struct stat s;
            snprintf(name, sizeof name, "assets/sprite-%04d.png", n);
            if (stat(name, &s) == 0 && s.st_mtime > newest)
                newest = s.st_mtime;
        }
    scanning += now() - before;
    return newest;
}

__attribute__((noinline)) static int run_packer(char *packer, int target)
{
    double before = now();
    char name[30];
    snprintf(name, sizeof name, "atlas-%03d", target);
    char *arguments[] = {packer, name, NULL};
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, packer, NULL, NULL, arguments, environ) == 0)
        waitpid(child, &status, 0);
    packing += now() - before;
    return status;
}

__attribute__((noinline)) static void build_target(char *packer, int target)
{
    if (newest_source() > 0 && run_packer(packer, target) != 0)
        fprintf(stderr, "atlas %d failed\n", target);
}

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    make_sources();
    double start = now();
    int targets = 0;
    while (now() - start < 2)
        build_target(arguments[1], targets++);
    double all = now() - start;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "packing %.3f\nscanning %.3f\ntargets %d\n", packing / all, scanning / all, targets);
    fclose(truth);
    return 0;
}
