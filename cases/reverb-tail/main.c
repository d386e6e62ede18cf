// Renders the reverberation of short takes: eight damped combs and four all-pass filters, as in many
// free plug-ins. Each take is a click of a clapper board and then what follows in the room.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COMBS 8
#define PASSES 4
#define BLOCK 512

typedef struct { float *line; int size, at; float store, feedback, damp; } Comb;
typedef struct { float *line; int size, at; } Pass;
typedef struct { Comb combs[COMBS]; Pass passes[PASSES]; } Room;

static const int comb_sizes[COMBS] = {116, 128, 137, 145, 152, 159, 165, 172};
static const int pass_sizes[PASSES] = {55, 44, 34, 22};

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static double cpu_time(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec * 1e-9; }

static void open_room(Room *room, float size) {
    for (int i = 0; i < COMBS; i++)
        room->combs[i] = (Comb){calloc(comb_sizes[i], sizeof(float)), comb_sizes[i], 0, 0, size, 0.2f};
    for (int i = 0; i < PASSES; i++)
        room->passes[i] = (Pass){calloc(pass_sizes[i], sizeof(float)), pass_sizes[i], 0};
}

static __attribute__((noinline)) void run_comb(Comb *comb, const float *in, float *out, int frames) {
    for (int i = 0; i < frames; i++) {
        float value = comb->line[comb->at];
        comb->store = value * (1 - comb->damp) + comb->store * comb->damp;
        comb->line[comb->at] = in[i] + comb->store * comb->feedback;
        if (++comb->at == comb->size) comb->at = 0;
        out[i] += value;
    }
}

static __attribute__((noinline)) void run_pass(Pass *pass, float *sound, int frames) {
    for (int i = 0; i < frames; i++) {
        float old = pass->line[pass->at];
        pass->line[pass->at] = sound[i] + old * 0.5f;
        if (++pass->at == pass->size) pass->at = 0;
        sound[i] = old - sound[i];
    }
}

static __attribute__((noinline)) void render_block(Room *room, const float *in, float *out, int frames) {
    memset(out, 0, frames * sizeof(float));
    for (int i = 0; i < COMBS; i++) run_comb(&room->combs[i], in, out, frames);
    for (int i = 0; i < PASSES; i++) run_pass(&room->passes[i], out, frames);
}

static double loudness(const float *sound, int frames) {
    double sum = 0;
    for (int i = 0; i < frames; i++) sum += (double)sound[i] * sound[i];
    return sqrt(sum / frames);
}

int main(void) {
    double start = now(), rendering = 0, loud = 0, silent = 0;
    float in[BLOCK], out[BLOCK];
    Room room;
    long blocks = 0, audible = 0;
    open_room(&room, 0.84f);
    while (now() - start < 2.0) {
        memset(in, 0, sizeof in);
        if (blocks == 0)
            for (int i = 0; i < BLOCK; i++) in[i] = sinf(i * 0.3f) * (i < 64);
        double before = now(), used = cpu_time();
        render_block(&room, in, out, BLOCK);
        used = cpu_time() - used;
        rendering += now() - before;
        if (loudness(out, BLOCK) > 1e-5) loud += used, audible++;
        else silent += used;
        blocks++;
    }
    loud /= audible;
    silent /= blocks - audible;
    printf("%ld blocks, %ld of them audible; %.1f us for an audible block, %.1f for a silent one\n", blocks, audible, loud * 1e6, silent * 1e6);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "rendering %.3f\naudible_us %.2f\nsilent_us %.2f\n", rendering / (now() - start), loud * 1e6, silent * 1e6);
    return fclose(truth);
}
