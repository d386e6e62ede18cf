/* Pictures of a stage camera go to the mixer through shared memory: the camera makes a segment for
   each picture, and the mixer maps it, mixes a part of it and removes it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 2560
#define HEIGHT 1600
#define PICTURE ((size_t)WIDTH * HEIGHT * 2)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static unsigned short *map_segment(int segment)
{
    void *at = mmap(NULL, PICTURE, PROT_READ | PROT_WRITE, MAP_SHARED, segment, 0);
    if (at == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return at;
}

/* The camera writes one bright line in four, the rest of the picture is black. */
static int take_picture(unsigned number)
{
    int segment = memfd_create("picture", MFD_CLOEXEC);
    if (segment < 0 || ftruncate(segment, PICTURE) != 0) {
        perror("picture");
        exit(1);
    }
    unsigned short *dots = map_segment(segment);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = number % 7; x < WIDTH; x += 80)
            dots[y * WIDTH + x] = (unsigned short)(x + number);
    munmap(dots, PICTURE);
    return segment;
}

static unsigned long mix_picture(int segment)
{
    unsigned short *dots = map_segment(segment);
    unsigned long light = 0;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x += 160)
            light += dots[y * WIDTH + x];
    munmap(dots, PICTURE);
    close(segment);
    return light;
}

int main(void)
{
    double start = now();
    unsigned long light = 0;
    unsigned pictures = 0;
    while (now() - start < 2.0) {
        int segment = take_picture(pictures++);
        light += mix_picture(segment);
    }
    printf("%u pictures, light %lu\n", pictures, light);
    return 0;
}
