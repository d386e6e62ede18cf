// Eight threads count words; every single word goes through one mutex, so that they pass it around
// instead of working.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static long table[4096];
static double waited[8];
static double start;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void slow_insert(unsigned word) {
    for (int probe = 0; probe < 2000; probe++) table[(word + probe * 7) % 4096]++;
}

static double count_word(unsigned word) {
    double before = now();
    pthread_mutex_lock(&table_lock);
    double got = now() - before;
    slow_insert(word);
    pthread_mutex_unlock(&table_lock);
    return got;
}

static void *count_words(void *arg) {
    long id = (long)arg;
    unsigned word = id;
    while (now() - start < 2.0) waited[id] += count_word(word = word * 1103515245u + 12345u);
    return NULL;
}

int main(void) {
    pthread_t threads[8];
    start = now();
    for (long i = 0; i < 8; i++) pthread_create(&threads[i], NULL, count_words, (void *)i);
    double sum = 0;
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL), sum += waited[i];
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "lock_share_per_thread %.3f\n", sum / 8 / (now() - start));
    fclose(truth);
}
