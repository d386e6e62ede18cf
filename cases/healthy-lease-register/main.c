// Two surveyors compute the outlines of parcels, and enter each finished sheet in a common register.
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CORNERS 400

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static double area(const double *x, const double *y, int corners) {
    double sum = 0;
    for (int i = 0; i < corners; i++) {
        int next = (i + 1) % corners;
        sum += x[i] * y[next] - x[next] * y[i];
    }
    return fabs(sum) / 2;
}

static double survey(int sheet) {
    double x[CORNERS], y[CORNERS], total = 0;
    for (int parcel = 0; parcel < 3000; parcel++) {
        for (int i = 0; i < CORNERS; i++) {
            double angle = 2 * M_PI * i / CORNERS, radius = 30 + 5 * sin(angle * (parcel % 7 + sheet % 5));
            x[i] = radius * cos(angle);
            y[i] = radius * sin(angle);
        }
        total += area(x, y, CORNERS);
    }
    return total;
}

static void enter(int surveyor, int sheet, double total) {
    int book = open("register.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
    char line[80];
    int length = snprintf(line, sizeof line, "surveyor %d sheet %d: %.1f m2\n", surveyor, sheet, total);
    flock(book, LOCK_EX);
    if (write(book, line, (size_t)length) < 0)
        abort();
    flock(book, LOCK_UN);
    close(book);
}

int main(void) {
    double until = now() + 2.0;
    for (int surveyor = 0; surveyor < 2; surveyor++) {
        if (fork() == 0) {
            for (int sheet = 0; now() < until; sheet++)
                enter(surveyor, sheet, survey(sheet));
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    puts("surveyed");
    return 0;
}
