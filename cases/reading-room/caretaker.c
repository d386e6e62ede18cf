/* Another program: counts the visitors, and keeps the book for 30 ms each time, with 1 ms in between. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct book {
    pthread_mutex_t mutex;
    unsigned visitors;
};

static void count_visitors(struct book *book) {
    pthread_mutex_lock(&book->mutex);
    usleep(30000);
    pthread_mutex_unlock(&book->mutex);
}

int main(void) {
    int file = open("visitors.book", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ftruncate(file, sizeof(struct book)) != 0)
        return 1;
    struct book *book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (book == MAP_FAILED)
        return 1;
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&book->mutex, &shared);
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;) {
        count_visitors(book);
        usleep(1000);
    }
}
