// Encodes sound as it comes: each block of samples is predicted, its differences are written as Rice codes, and the
// output leaves in pieces of 64 KB.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, OUT = 64 * 1024 };

static struct encoder {
    uint8_t out[OUT + 64];
    size_t used;
    uint64_t bits;
    int held, file;
    long bytes, blocks;
} encoder;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void write_out(struct encoder *e) {
    if (write(e->file, e->out, e->used) != (ssize_t)e->used) {
        perror("track.rice");
        exit(1);
    }
    e->bytes += e->used;
    e->used = 0;
}

static void put_bits(struct encoder *e, uint32_t value, int count) {
    e->bits = e->bits << count | value;
    e->held += count;
    while (e->held >= 8) {
        e->held -= 8;
        e->out[e->used++] = e->bits >> e->held;
    }
    if (e->used >= OUT) write_out(e);
}

static void put_rice(struct encoder *e, int value, int parameter) {
    uint32_t folded = value < 0 ? -2 * value - 1 : 2 * value, high = folded >> parameter;
    for (; high >= 16; high -= 16) put_bits(e, 0, 16);
    put_bits(e, 1, high + 1);
    put_bits(e, folded & ((1u << parameter) - 1), parameter);
}

static void take_samples(int16_t *samples, long block) {
    static uint32_t noise = 1;
    int level = 0;
    for (int n = 0; n < BLOCK; n++) {
        noise = noise * 1664525 + 1013904223;
        int phase = (block * BLOCK + n) % 200;
        level = (phase < 100 ? phase : 200 - phase) * 150 - 7500;
        samples[n] = level + (int)(noise >> 26) - 32;
    }
}

static long predict(const int16_t *samples, int order, int *rest) {
    long cost = 0;
    for (int n = 2; n < BLOCK; n++) {
        int guess = order == 0 ? 0 : order == 1 ? samples[n - 1] : 2 * samples[n - 1] - samples[n - 2];
        rest[n] = samples[n] - guess;
        cost += abs(rest[n]);
    }
    return cost;
}

static void encode_block(struct encoder *e, const int16_t *samples) {
    static int rest[3][BLOCK];
    int best = 0, parameter = 0;
    long least = -1;
    for (int order = 0; order < 3; order++) {
        long cost = predict(samples, order, rest[order]);
        if (least < 0 || cost < least) least = cost, best = order;
    }
    while (parameter < 14 && (long)BLOCK << parameter < least) parameter++;
    put_bits(e, best << 4 | parameter, 8);
    for (int n = 0; n < 2; n++) put_bits(e, (uint16_t)samples[n], 16);
    for (int n = 2; n < BLOCK; n++) put_rice(e, rest[best][n], parameter);
    e->blocks++;
}

int main(void) {
    int16_t samples[BLOCK];
    encoder.file = open("/dev/null", O_WRONLY);
    double start = now();
    while (now() - start < 2) {
        take_samples(samples, encoder.blocks);
        encode_block(&encoder, samples);
    }
    write_out(&encoder);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "blocks %ld\nmegabytes_in %.1f\nmegabytes_out %.1f\n", encoder.blocks, encoder.blocks * BLOCK * 2 / 1e6,
        encoder.bytes / 1e6);
    return fclose(truth);
}
