/* Transcodes the flight recorder's films. */
#include <stdio.h>

static unsigned transcode(unsigned frame)
{
    for (int i = 0; i < 1000000; i++)
        frame = frame * 1664525 + 1013904223;
    return frame;
}

int main(void)
{
    fclose(fopen("ready", "w"));
    volatile unsigned frame = 1;
    for (;;)
        frame = transcode(frame);
}
