/* Looks for sirens in a recording of a street: each block of sound is windowed, its spectrum is
   computed, smoothed over time, and searched for peaks that rise and fall. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 2048

static float window[BLOCK];
static float complex turn[BLOCK];
static float spectrum[BLOCK / 2], smooth[BLOCK / 2];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void make_tables(void)
{
    for (int i = 0; i < BLOCK; i++) {
        window[i] = (float)(0.5 - 0.5 * cos(2 * M_PI * i / BLOCK));
        turn[i] = (float complex)cexp(-2 * M_PI * I * i / BLOCK);
    }
}

static void record_block(float *sound, long block)
{
    double pitch = 700 + 400 * sin(block / 40.0), phase = 0;
    unsigned noise = (unsigned)block * 2654435761u + 1;
    for (int i = 0; i < BLOCK; i++) {
        noise = noise * 1664525u + 1013904223u;
        phase += 2 * M_PI * pitch / 44100;
        sound[i] = (float)(sin(phase) + (noise >> 16) / 65536.0 - 0.5);
    }
}

static void windowed(float *sound)
{
    for (int i = 0; i < BLOCK; i++)
        sound[i] *= window[i];
}

static __attribute__((noinline)) void transform(const float *sound)
{
    for (int bin = 0; bin < BLOCK / 2; bin++) {
        float re = 0, im = 0;
        for (int i = 0; i < BLOCK; i++) {
            float complex t = turn[bin * i % BLOCK];
            re += sound[i] * crealf(t);
            im += sound[i] * cimagf(t);
        }
        spectrum[bin] = sqrtf(re * re + im * im);
    }
}

static int peak(void)
{
    int best = 0;
    for (int bin = 0; bin < BLOCK / 2; bin++) {
        smooth[bin] = 0.8f * smooth[bin] + 0.2f * spectrum[bin];
        if (smooth[bin] > smooth[best])
            best = bin;
    }
    return best;
}

int main(void)
{
    float sound[BLOCK];
    make_tables();
    double start = now(), in_transform = 0;
    long blocks = 0, sirens = 0;
    int before = 0;
    while (now() - start < 2.0) {
        record_block(sound, blocks++);
        windowed(sound);
        double begin = now();
        transform(sound);
        in_transform += now() - begin;
        int at = peak();
        sirens += abs(at - before) > 2;
        before = at;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", in_transform / (now() - start));
    fclose(truth);
    printf("%ld blocks, %ld moves\n", blocks, sirens);
    return 0;
}
