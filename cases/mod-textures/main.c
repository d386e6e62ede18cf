/* Loads the textures of a level: the mods of the player come first, in the order in which they were installed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MODS = 180, TEXTURES = 400 };

static const char *endings[] = {"dds", "ktx", "png"};
static long loaded, bytes;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void install(void)
{
    char path[128], dots[512];
    memset(dots, 'x', sizeof dots);
    mkdir("mods", 0755);
    mkdir("base", 0755);
    for (int mod = 0; mod < MODS; mod++) {
        snprintf(path, sizeof path, "mods/%03d", mod);
        mkdir(path, 0755);
        snprintf(path, sizeof path, "mods/%03d/textures", mod);
        mkdir(path, 0755);
    }
    for (int i = 0; i < TEXTURES; i++) {
        snprintf(path, sizeof path, "base/wall%d.png", i);
        int file = open(path, O_CREAT | O_WRONLY, 0644);
        if (write(file, dots, sizeof dots) < 0)
            perror(path);
        close(file);
    }
}

static int open_texture(const char *name)
{
    char path[128];
    for (int mod = 0; mod < MODS; mod++)
        for (int e = 0; e < 3; e++) {
            snprintf(path, sizeof path, "mods/%03d/textures/%s.%s", mod, name, endings[e]);
            int file = open(path, O_RDONLY);
            if (file >= 0)
                return file;
        }
    snprintf(path, sizeof path, "base/%s.png", name);
    return open(path, O_RDONLY);
}

static void load_texture(const char *name)
{
    char dots[4096];
    int file = open_texture(name);
    if (file < 0)
        return;
    ssize_t n;
    while ((n = read(file, dots, sizeof dots)) > 0)
        bytes += n;
    close(file);
    loaded++;
}

static void load_level(void)
{
    char name[32];
    for (int i = 0; i < TEXTURES; i++) {
        snprintf(name, sizeof name, "wall%d", i);
        load_texture(name);
    }
}

int main(void)
{
    install();
    double start = now();
    int levels = 0;
    while (now() - start < 2) {
        load_level();
        levels++;
    }
    printf("%d levels, %ld textures, %ld bytes\n", levels, loaded, bytes);
    return 0;
}
