/* Plays a tune: mixes the next 20 ms of sound, and waits until they are due. Usage: player SECONDS */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RATE 48000
#define PERIOD_MS 20
#define FRAMES (RATE * PERIOD_MS / 1000)

static float buffer[FRAMES];
static double phase[4];

static void mix(long period)
{
    for (int i = 0; i < FRAMES; i++)
        buffer[i] = 0;
    for (int voice = 0; voice < 4; voice++) {
        double step = 2 * M_PI * 110 * (voice + 1) * pow(2, (period / 25 * (voice + 3) % 12) / 12.0) / RATE;
        for (int i = 0; i < FRAMES; i++) {
            phase[voice] += step;
            buffer[i] += 0.2f * (float)sin(phase[voice]);
        }
    }
}

static void play(FILE *card)
{
    fwrite(buffer, sizeof buffer, 1, card);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    FILE *card = fopen("/dev/null", "wb");
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    long periods = (long)(seconds * 1000 / PERIOD_MS);
    for (long period = 0; period < periods; period++) {
        mix(period);
        play(card);
        due.tv_nsec += PERIOD_MS * 1000000;
        if (due.tv_nsec >= 1000000000) {
            due.tv_nsec -= 1000000000;
            due.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    }
    fclose(card);
    printf("%ld periods played\n", periods);
    return 0;
}
