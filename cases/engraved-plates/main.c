// Sends name plates to the engraver's machine through a message queue.
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double waited;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static size_t draw_plate(char *plate, size_t size, int number) {
    size_t used = (size_t)snprintf(plate, size, "plate %d;", number);
    for (int letter = 0; letter < 60; letter++)
        used += (size_t)snprintf(plate + used, size - used, "%c%d,%d;", 'A' + (number + letter) % 26, letter * 7, number % 40);
    return used + 1;
}

__attribute__((noinline)) static int submit_plate(mqd_t queue, const char *plate, size_t size) {
    double before = now();
    int result = mq_send(queue, plate, size, 0);
    waited += now() - before;
    return result;
}

int main(void) {
    char name[100] = "";
    FILE *f = fopen("queue", "r");
    if (!f || !fgets(name, sizeof name, f)) return 1;
    fclose(f);
    name[strcspn(name, "\n")] = '\0';
    mqd_t queue = mq_open(name, O_WRONLY);
    if (queue == (mqd_t)-1) return perror(name), 1;
    double start = now();
    int plates = 0;
    char plate[2048];
    while (now() - start < 2.0) {
        size_t size = draw_plate(plate, sizeof plate, ++plates);
        if (submit_plate(queue, plate, size)) return perror("mq_send"), 1;
    }
    mq_unlink(name);
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "share %.3f\nplates %d\n", waited / (now() - start), plates);
    return fclose(truth);
}
