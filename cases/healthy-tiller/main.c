// Steers a ship: at the rate and for the time that its arguments say, a timer wakes it, and it corrects the tiller.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

static double corrected(double course, double *drift) {
    for (int n = 0; n < 2000; n++) *drift = *drift * 0.999 + (course - 90) * 1e-6 * (n % 7);
    return course - *drift;
}

int main(int count, char **words) {
    if (count < 3) return 1;
    long rate = atol(words[1]), seconds = atol(words[2]);
    struct itimerspec every = {{0, 1000000000 / rate}, {0, 1000000000 / rate}};
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &every, NULL);
    double course = 97, drift = 0;
    uint64_t ticks = 0;
    for (long n = 0; n < rate * seconds; n += ticks) {
        if (read(timer, &ticks, sizeof ticks) != sizeof ticks) return 1;
        course = corrected(course, &drift);
    }
    FILE *log = fopen("course.txt", "w");
    fprintf(log, "course %.4f\n", course);
    fclose(log);
}
