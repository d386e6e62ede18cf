/* A library: readers sign in a visitors' book in shared memory, which the caretaker's program uses, too. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct book {
    pthread_mutex_t mutex;
    unsigned visitors;
};

static double waited;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static struct book *open_book(const char *path) {
    int file = open(path, O_RDWR);
    if (file < 0)
        exit(1);
    struct book *book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (book == MAP_FAILED)
        exit(1);
    return book;
}

static void sign_in(struct book *book) {
    double before = now();
    pthread_mutex_lock(&book->mutex);
    waited += now() - before;
    book->visitors++;
    pthread_mutex_unlock(&book->mutex);
}

static unsigned greet(unsigned visitor) {
    for (int n = 0; n < 20000; n++)
        visitor = visitor * 1664525 + 1013904223;
    return visitor;
}

int main(void) {
    struct book *book = open_book("visitors.book");
    unsigned greeted = 0, sum = 0;
    double start = now();
    for (; now() - start < 2; greeted++) {
        sign_in(book);
        sum ^= greet(greeted);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "waited %.3f\ngreeted %u\nsum %u\n", waited / (now() - start), greeted, sum);
    fclose(truth);
    return 0;
}
