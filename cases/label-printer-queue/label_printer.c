// Takes labels from a message queue; a label takes 25 ms, because the paper moves that slowly.
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <time.h>

#include "label.h"

static void print_label(const struct label *label) {
    struct timespec paper = {0, 25000000};
    if (label->text[0]) nanosleep(&paper, NULL);
}

int main(void) {
    struct label label;
    int queue = msgget(IPC_PRIVATE, 0600);
    FILE *ready = fopen("ready.part", "w");
    fprintf(ready, "%d\n", queue);
    fclose(ready);
    rename("ready.part", "ready");
    while (msgrcv(queue, &label, sizeof label.text, 0, 0) > 0) print_label(&label);
}
