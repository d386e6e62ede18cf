// Computes on all CPUs without end.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *transcode(void *frame) {
    volatile unsigned sum = 1;
    for (;;) sum = sum * 1664525 + 1013904223;
    return frame;
}

int main(void) {
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t thread;
    for (long n = 1; n < cpus; n++) pthread_create(&thread, NULL, transcode, NULL);
    fclose(fopen("ready", "w"));
    transcode(NULL);
}
