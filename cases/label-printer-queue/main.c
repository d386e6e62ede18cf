// Packs orders and sends a label for each to the label printer, by a message queue.
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <time.h>

#include "label.h"

static double waited;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int send_label(int queue, int order) {
    struct label label = {.kind = 1};
    snprintf(label.text, sizeof label.text, "Order %d\nThe Customer\n%d Long Street\n", order, order % 97 + 1);
    double before = now();
    int failed = msgsnd(queue, &label, sizeof label.text, 0);
    waited += now() - before;
    return failed;
}

static int print_orders(int queue, double until) {
    int orders = 0;
    while (now() < until && send_label(queue, orders) == 0) orders++;
    return orders;
}

int main(void) {
    int queue;
    FILE *ready = fopen("ready", "r");
    if (!ready || fscanf(ready, "%d", &queue) != 1) return 1;
    fclose(ready);
    double start = now();
    int orders = print_orders(queue, start + 2.0);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\norders %d\n", waited / (now() - start), orders);
    fclose(truth);
    msgctl(queue, IPC_RMID, NULL);
    return orders == 0;
}
