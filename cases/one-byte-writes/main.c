// Copies a text to a file one byte per system call, because nobody put a buffer between them.
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void put_char(int file, char c) {
    if (write(file, &c, 1) != 1) _exit(1);
}

static void put_line(int file, const char *line) {
    for (; *line; line++) put_char(file, *line);
}

int main(void) {
    int file = open("report.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    long lines = 0;
    for (double start = now(); now() - start < 1.5; lines++)
        put_line(file, "the quick brown fox jumps over the lazy dog\n");
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "writes %ld\n", lines * 44);
    fclose(truth);
}
