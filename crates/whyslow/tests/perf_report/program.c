/* Threads with recursion, many callers of one function, system calls, and a call that never
 * returns. 1.2 seconds of CPU time, on machines of any speed and load. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void leaf(unsigned n) {
    for (unsigned i = 0; i < n; i++) sink += i * 3;
}

__attribute__((noinline)) static void recurse(int depth, unsigned n) {
    leaf(n);
    if (depth) recurse(depth - 1, n);
    sink++;
}

__attribute__((noinline)) static void odd(int depth, unsigned n);

__attribute__((noinline)) static void even(int depth, unsigned n) {
    leaf(n);
    if (depth) odd(depth - 1, n);
    sink++;
}

__attribute__((noinline)) static void odd(int depth, unsigned n) {
    leaf(n);
    if (depth) even(depth - 1, n);
    sink++;
}

__attribute__((noinline)) static void reads(int n) {
    char buffer[65536];
    int file = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < n; i++) sink += read(file, buffer, sizeof buffer);
    close(file);
}

__attribute__((noinline)) static void *work(void *argument) {
    struct rusage used;
    for (;;) {
        getrusage(RUSAGE_THREAD, &used);
        long us = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
        if (used.ru_utime.tv_sec + used.ru_stime.tv_sec > 0 || us > 400000) break;
        recurse(12, 10000);
        even(9, 10000);
        reads(100);
    }
    return argument;
}

__attribute__((noinline, noreturn)) static void leave(void) {
    work(0);
    _exit(0);
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    leave();
}
