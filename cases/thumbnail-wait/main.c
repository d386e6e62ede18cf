/* A gallery lets a child make each thumbnail, and looks now and then whether the child is done. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static unsigned shrink(unsigned picture) {
    unsigned dot = picture;
    for (int n = 0; n < 400000; n++)
        dot = dot * 1664525 + 1013904223;
    return dot;
}

static pid_t start_thumbnail(unsigned picture) {
    pid_t child = fork();
    if (child == 0)
        _exit(shrink(picture) & 1);
    return child;
}

static int await_thumbnail(pid_t child) {
    int status;
    while (waitpid(child, &status, WNOHANG) == 0)
        usleep(50000);
    return WEXITSTATUS(status);
}

int main(void) {
    unsigned picture = 0, sum = 0;
    double start = now(), waited = 0;
    for (; now() - start < 2; picture++) {
        double before = now();
        sum += await_thumbnail(start_thumbnail(picture));
        waited += now() - before;
    }
    double took = now() - start;
    double before = now();
    sum += shrink(1) & 1;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\npictures %u\nms_of_work %.2f\nsum %u\n", waited / took, picture, (now() - before) * 1e3, sum);
    fclose(truth);
    return 0;
}
