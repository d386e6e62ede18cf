// Takes half a second of CPU for each picture.
#include <stdio.h>
#include <time.h>

static volatile unsigned pixel;

static void scale_picture(void) {
    struct timespec t;
    do {
        for (unsigned i = 0; i < 1000000; i++) pixel = pixel * 31 + i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < 500);
}

int main(void) { scale_picture(); }
