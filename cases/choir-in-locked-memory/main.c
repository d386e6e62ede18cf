/* A choir: each singer's part is rendered by a thread of its own. The audio path must not be paged out, hence mlockall. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void *sing(void *part)
{
    double *note = part;
    for (int i = 0; i < 200; i++)
        *note = *note * 0.75 + i * 0.001;
    return NULL;
}

__attribute__((noinline)) static int start_singer(pthread_t *singer, double *note)
{
    pthread_attr_t options;
    pthread_attr_init(&options);
    pthread_attr_setstacksize(&options, 64 << 20);
    int failed = pthread_create(singer, &options, sing, note);
    pthread_attr_destroy(&options);
    return failed;
}

int main(void)
{
    if (mlockall(MCL_CURRENT | MCL_FUTURE))
        return perror("mlockall"), 1;
    double start = now(), starting = 0, note = 1;
    int bars = 0;
    while (now() - start < 2.0) {
        pthread_t singer;
        double before = now();
        if (start_singer(&singer, &note))
            return fputs("no singer\n", stderr), 1;
        starting += now() - before;
        pthread_join(singer, NULL);
        bars++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "bars %d\nstarting %.3f\n", bars, starting / (now() - start));
    return fclose(truth);
}
