// Compares each night's meteors with the atlas of all known tracks, plate by plate.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct track {
    unsigned number, azimuth;
    float speed, height;
};

#define PLATE 65536   // tracks on a plate

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double reading;
static struct track *plate;

static size_t read_plate(int atlas) {
    double before = now();
    ssize_t got = read(atlas, plate, PLATE * sizeof *plate);
    reading += now() - before;
    return got > 0 ? got / sizeof *plate : 0;
}

static unsigned compare_plate(size_t tracks, unsigned night) {
    unsigned similar = 0;
    for (size_t n = 0; n < tracks; n += 8)
        similar += plate[n].azimuth == night * 31 % 360 && plate[n].height < 45;
    return similar;
}

static unsigned compare_night(int atlas, unsigned night) {
    unsigned similar = 0;
    lseek(atlas, 0, SEEK_SET);
    for (size_t tracks; (tracks = read_plate(atlas)) > 0;) similar += compare_plate(tracks, night);
    return similar;
}

static double from_disk(void) {
    char line[100];
    unsigned long long bytes = 0;
    FILE *io = fopen("/proc/self/io", "r");
    while (io && fgets(line, sizeof line, io)) sscanf(line, "read_bytes: %llu", &bytes);
    if (io) fclose(io);
    return bytes / 1048576.0;
}

int main(void) {
    int atlas = open("meteors.atlas", O_RDONLY);
    plate = malloc(PLATE * sizeof *plate);
    double start = now();
    unsigned night = 0, similar = 0;
    for (; now() - start < 2.5; night++) similar += compare_night(atlas, night);
    double wall = now() - start;
    printf("%u nights, %u similar tracks\n", night, similar);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share_reading %.3f\nnights %u\nmegabytes_from_disk %.0f\n", reading / wall, night, from_disk());
    fclose(truth);
    close(atlas);
}
