// Stores orders, each in a file of its own, right after a cleanup has deleted the old ones.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double store_order(int n) {
    char path[64], text[64];
    snprintf(path, sizeof path, "disk/orders/order-%d", n);
    double start = now();
    int file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0644);
    double opened = now() - start;
    int length = snprintf(text, sizeof text, "order %d: %d screws\n", n, n * 7919 % 500);
    if (file < 0 || write(file, text, length) != length) return -1;
    close(file);
    return opened;
}

int main(void) {
    double start = now(), opening = 0;
    int orders = 0;
    while (now() - start < 2.0 && orders < 20000) opening += store_order(++orders);
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "share %.3f\norders %d\n", opening / (now() - start), orders);
    return fclose(truth);
}
