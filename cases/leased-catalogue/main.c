// Looks up books in the catalogue, which is opened for each question as it may have been replaced.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double opening;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static int open_catalogue(void) {
    double before = now();
    int file = open("catalogue.txt", O_RDONLY);
    opening += now() - before;
    return file;
}

__attribute__((noinline)) static int find_shelf(int book) {
    static char text[65536];
    int file = open_catalogue();
    if (file < 0) exit(1);
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = '\0';
    char key[40];
    snprintf(key, sizeof key, "book-%d ", book);
    char *line = strstr(text, key);
    return line ? atoi(line + strlen(key)) : -1;
}

static void tell_reader(int book, int shelf) {
    struct timespec walk = {0, 5 * 1000 * 1000};
    printf("book %d: shelf %d\n", book, shelf);
    nanosleep(&walk, NULL);
}

int main(void) {
    double start = now();
    int questions = 0;
    while (now() - start < 2.0) {
        int book = ++questions * 37 % 800;
        tell_reader(book, find_shelf(book));
    }
    FILE *truth = fopen("truth", "w");
    if (!truth) return 1;
    fprintf(truth, "share %.3f\nquestions %d\n", opening / (now() - start), questions);
    return fclose(truth);
}
