// Counts the fish in the echoes that a sonar in a trout farm delivers, frame by frame.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BEAMS = 96, MOST_SAMPLES = 64 * 1024, STEP = 1024 };

struct frame {
    uint32_t used[BEAMS];
    uint32_t *samples[BEAMS];
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

// Room for the longest echo of each beam.
static void open_frame(struct frame *frame) {
    for (int beam = 0; beam < BEAMS; beam++) {
        frame->samples[beam] = malloc(MOST_SAMPLES * sizeof(uint32_t));
        frame->used[beam] = 0;
    }
}

__attribute__((noinline)) static void receive_echoes(struct frame *frame, unsigned number) {
    for (int beam = 0; beam < BEAMS; beam++) {
        uint32_t *to = frame->samples[beam];
        for (unsigned depth = 0; depth < MOST_SAMPLES; depth += STEP)
            to[depth] = number * 2654435761u + depth * beam, frame->used[beam]++;
    }
}

__attribute__((noinline)) static unsigned count_fish(const struct frame *frame) {
    unsigned fish = 0;
    for (int beam = 0; beam < BEAMS; beam++)
        for (unsigned i = 0; i < frame->used[beam]; i++)
            fish += frame->samples[beam][i * STEP] % 1021 == 0;
    return fish;
}

static void close_frame(struct frame *frame) {
    for (int beam = 0; beam < BEAMS; beam++)
        free(frame->samples[beam]);
}

int main(void) {
    struct frame frame;
    unsigned long fish = 0;
    unsigned frames = 0;
    double start = now();
    while (now() - start < 2.0) {
        open_frame(&frame);
        receive_echoes(&frame, frames);
        fish += count_fish(&frame);
        close_frame(&frame);
        frames++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "frames %u\nfish %lu\n", frames, fish);
    fclose(truth);
    return 0;
}
