/* Packs sprites into one picture: looks for a place for each, at every spot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 512

static unsigned char taken[SIDE][SIDE];

static int is_free(int x, int y, int size)
{
    for (int b = 0; b < size; b++)
        for (int a = 0; a < size; a++)
            if (taken[y + b][x + a])
                return 0;
    return 1;
}

__attribute__((noinline)) static int place_sprite(int size)
{
    for (int y = 0; y + size < SIDE; y++)
        for (int x = 0; x + size < SIDE; x++)
            if (is_free(x, y, size)) {
                for (int b = 0; b < size; b++)
                    memset(&taken[y + b][x], 1, size);
                return 1;
            }
    return 0;
}

int main(int count, char **arguments)
{
    int placed = 0;
    for (int n = 0; n < 190; n++)
        placed += place_sprite(12 + n * 7 % 19);
    FILE *out = fopen(count > 1 ? arguments[1] : "atlas", "w");
    fprintf(out, "%d\n", placed);
    fclose(out);
    return 0;
}
