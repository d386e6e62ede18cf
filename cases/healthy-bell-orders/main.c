// Computes the tone of church bells that are ordered through a message queue, and waits for the next order.
#include <fcntl.h>
#include <math.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double busy;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static double tone_of(double diameter) {
    double before = now(), sum = 0;
    for (int mode = 1; mode < 2400; mode++)
        for (int ring = 1; ring < 400; ring++) sum += sin(mode * diameter) / ring * cos(ring * diameter);
    busy += now() - before;
    return sum;
}

static int next_order(mqd_t queue, char *order, size_t size) {
    ssize_t n = mq_receive(queue, order, size, NULL);
    return n > 0 && strcmp(order, "end");
}

int main(void) {
    char name[100] = "", order[256];
    FILE *f = fopen("queue", "r");
    if (!f || !fgets(name, sizeof name, f)) return 1;
    fclose(f);
    name[strcspn(name, "\n")] = '\0';
    mqd_t queue = mq_open(name, O_RDONLY);
    if (queue == (mqd_t)-1) return perror(name), 1;
    double start = now();
    int bells = 0;
    while (next_order(queue, order, sizeof order)) {
        printf("bell %d: %.3f\n", ++bells, tone_of(atof(order)));
    }
    mq_unlink(name);
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "busy %.3f\nbells %d\nseconds %.2f\n", busy / (now() - start), bells, now() - start);
    return fclose(truth);
}
