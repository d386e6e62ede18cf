#include <pthread.h>
struct seats {
    pthread_mutex_t lock;
    int sold;
    char taken[30][40];
};
