/* Packs the profile of a coast by matches with what came shortly before, and writes it in large blocks. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK (1 << 20)
#define HASHES (1 << 15)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void survey(uint8_t *out, size_t n, long *meter)
{
    for (size_t i = 0; i < n; i += 4, ++*meter) {
        double h = 40 * sin(*meter * 0.0003) + 5 * sin(*meter * 0.011);
        int32_t mm = (int32_t)(h * 4) * 250;
        memcpy(out + i, &mm, 4);
    }
}

static uint32_t hash4(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v * 2654435761u >> 17;
}

static size_t match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *start = b;
    while (b < end && *a == *b)
        a++, b++;
    return b - start;
}

static size_t pack(const uint8_t *in, size_t n, uint8_t *out)
{
    static uint32_t last[HASHES];
    uint8_t *o = out;
    const uint8_t *end = in + n;
    memset(last, 0, sizeof last);
    for (size_t i = 0; i + 4 < n;) {
        uint32_t h = hash4(in + i), from = last[h];
        last[h] = i;
        size_t length = from < i && i - from < 65536 ? match_length(in + from, in + i, end) : 0;
        if (length > 255)
            length = 255;
        if (length >= 4) {
            *o++ = 255;
            *o++ = length;
            *o++ = i - from;
            *o++ = (i - from) >> 8;
            i += length;
        } else {
            *o++ = in[i] & 127;
            *o++ = in[i] >> 7;
            i++;
        }
    }
    return o - out;
}

int main(void)
{
    double end = now() + 2.0;
    uint8_t *raw = malloc(BLOCK), *packed = malloc(2 * BLOCK + 16);
    FILE *f = fopen("coast.packed", "w");
    if (!raw || !packed || !f)
        return 1;
    setvbuf(f, NULL, _IOFBF, BLOCK);
    long meter = 0;
    size_t in = 0, out = 0;
    while (now() < end) {
        survey(raw, BLOCK, &meter);
        size_t n = pack(raw, BLOCK, packed);
        if (fwrite(packed, 1, n, f) != n)
            return 1;
        in += BLOCK;
        out += n;
    }
    if (fclose(f))
        return 1;
    printf("%zu MB to %zu KB\n", in >> 20, out >> 10);
    return 0;
}
