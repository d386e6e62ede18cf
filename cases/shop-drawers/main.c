// Puts receipts into drawers (folders): one small file per receipt; the drawer is closed after each.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void close_drawer(const char *drawer) {
    int folder = open(drawer, O_RDONLY | O_DIRECTORY);
    fsync(folder);
    close(folder);
}

static void put_receipt(int number) {
    char drawer[32], path[64], text[64];
    snprintf(drawer, sizeof drawer, "drawer-%d", number % 4);
    mkdir(drawer, 0755);
    snprintf(path, sizeof path, "%s/receipt-%d", drawer, number);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    int length = snprintf(text, sizeof text, "receipt %d: %d cents\n", number, number * 37 % 9000);
    if (write(file, text, length) != length) _exit(1);
    close(file);
    close_drawer(drawer);
}

int main(void) {
    int receipts = 0;
    for (double start = now(); now() - start < 2; receipts++) put_receipt(receipts);
    printf("%d receipts\n", receipts);
}
