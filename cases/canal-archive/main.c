/* Packs the log of a canal's gates, day by day, with a small packer of our own. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 96 * 1024, WINDOW = 32 * 1024, HASH_BITS = 15, MIN_MATCH = 4, MAX_MATCH = 64 };

struct packer {
    int32_t head[1 << HASH_BITS];
    int32_t previous[BLOCK];
    uint8_t *out;
    size_t used;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static size_t write_day(uint8_t *text, unsigned day)
{
    static const char *const states[] = {"open", "opening", "closed", "closing"};
    size_t n = 0;
    unsigned seed = day * 2654435761u + 1;
    for (unsigned second = 0; n < BLOCK - 160; second += 7) {
        seed = seed * 1103515245u + 12345u;
        n += (size_t)sprintf((char *)text + n, "day %05u %02u:%02u:%02u INFO gate=%u level=%03u state=%s\n", day,
                             second / 3600 % 24, second / 60 % 60, second % 60, seed >> 16 & 7, 200 + (seed >> 20 & 31),
                             states[seed >> 27 & 3]);
    }
    return n;
}

static uint32_t adler(const uint8_t *p, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a += p[i];
        b += a;
        if ((i & 2047) == 2047)
            a %= 65521, b %= 65521;
    }
    return (b % 65521) << 16 | a % 65521;
}

static unsigned hash4(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v * 2654435761u >> (32 - HASH_BITS);
}

static void remember(struct packer *k, const uint8_t *text, int32_t at)
{
    unsigned h = hash4(text + at);
    k->previous[at] = k->head[h];
    k->head[h] = at;
}

static int longest_match(const struct packer *k, const uint8_t *text, int32_t at, int32_t end, int32_t *where)
{
    int best = 0;
    for (int32_t c = k->head[hash4(text + at)]; c >= 0 && at - c <= WINDOW; c = k->previous[c]) {
        int n = 0, limit = end - at < MAX_MATCH ? end - at : MAX_MATCH;
        while (n < limit && text[c + n] == text[at + n])
            n++;
        if (n > best)
            best = n, *where = c;
    }
    return best;
}

static void put(struct packer *k, uint8_t byte)
{
    k->out[k->used++] = byte;
}

static void pack_block(struct packer *k, const uint8_t *text, int32_t n)
{
    memset(k->head, 0xff, sizeof k->head);
    int32_t at = 0;
    while (at < n) {
        int32_t where = 0;
        int length = at + MIN_MATCH < n ? longest_match(k, text, at, n, &where) : 0;
        if (length >= MIN_MATCH) {
            put(k, 0x80 | (uint8_t)(length & 0x7f));
            put(k, (uint8_t)((at - where) >> 8));
            put(k, (uint8_t)(at - where));
        } else {
            put(k, text[at] & 0x7f);
            length = 1;
        }
        for (int i = 0; i < length; i++, at++)
            if (at + MIN_MATCH < n)
                remember(k, text, at);
    }
}

int main(void)
{
    struct packer *k = calloc(1, sizeof *k);
    uint8_t *text = malloc(BLOCK);
    k->out = malloc(2 * BLOCK);
    FILE *archive = fopen("gates.pack", "wb");
    if (!k || !text || !k->out || !archive)
        return 1;
    double end = now() + 2.0, packing = 0, start = now();
    size_t in = 0, out = 0;
    for (unsigned day = 0; now() < end; day++) {
        size_t n = write_day(text, day);
        double t = now();
        k->used = 0;
        pack_block(k, text, (int32_t)n);
        packing += now() - t;
        uint32_t header[3] = {day, (uint32_t)k->used, adler(text, n)};
        fwrite(header, sizeof header, 1, archive);
        fwrite(k->out, 1, k->used, archive);
        in += n, out += k->used;
    }
    fclose(archive);
    printf("%zu bytes packed into %zu, packing took %.3f of %.3f s\n", in, out, packing, now() - start);
    return 0;
}
