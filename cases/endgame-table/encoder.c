// Encodes old chess videos. Three of these run all day.
#include <stdio.h>
#include <time.h>

static volatile unsigned sample;

static void encode_block(void) {
    for (unsigned n = 0; n < 200000; n++) sample = sample * 1664525 + n;
}

int main(void) {
    time_t start = time(NULL);
    FILE *ready = fopen("ready", "w");
    fclose(ready);
    while (time(NULL) - start < 25) encode_block();
}
