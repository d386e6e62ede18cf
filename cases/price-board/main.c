/* A price board: three displays draw from a table, and the main thread posts new prices as they come. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ARTICLES 400
#define POSTS 3
#define SLIDE 0.75

struct table {
    pthread_rwlock_t guard;
    unsigned cents[ARTICLES];
    unsigned version;
};

static struct table table = {.guard = PTHREAD_RWLOCK_INITIALIZER};
static volatile int closing;
static double opened;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9 - opened;
}

/* Sends a picture to a panel, which takes some milliseconds for it. */
static void push_to_panel(const char *picture, int milliseconds)
{
    if (picture[0])
        usleep(milliseconds * 1000);
}

static void draw(char *picture, size_t size, int milliseconds)
{
    pthread_rwlock_rdlock(&table.guard);
    size_t used = 0;
    for (int n = 0; n < ARTICLES && used + 16 < size; n += 8)
        used += snprintf(picture + used, size - used, "%u.%02u ", table.cents[n] / 100, table.cents[n] % 100);
    push_to_panel(picture, milliseconds);
    pthread_rwlock_unlock(&table.guard);
}

/* Draws without a pause while a slide is shown; between two slides the panels are dark for a moment. */
static void *display(void *panel)
{
    char picture[1024];
    int milliseconds = *(int *)panel;
    while (!closing) {
        double slide = (int)(now() / SLIDE) * SLIDE;
        while (!closing && now() < slide + SLIDE - 0.02)
            draw(picture, sizeof picture, milliseconds);
        while (!closing && now() < slide + SLIDE)
            usleep(2000);
    }
    return NULL;
}

static unsigned next_price(unsigned cents, unsigned post)
{
    return 50 + (cents * 31 + post * 977) % 20000;
}

static double post_prices(unsigned post)
{
    unsigned fresh[ARTICLES];
    for (int n = 0; n < ARTICLES; n++)
        fresh[n] = next_price(n * 17 + post, post);
    double before = now();
    pthread_rwlock_wrlock(&table.guard);
    double waited = now() - before;
    memcpy(table.cents, fresh, sizeof fresh);
    table.version++;
    pthread_rwlock_unlock(&table.guard);
    return waited;
}

int main(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    opened = time.tv_sec + time.tv_nsec / 1e9;
    pthread_t displays[3];
    int panels[3] = {13, 17, 23};
    for (int n = 0; n < 3; n++)
        pthread_create(&displays[n], NULL, display, &panels[n]);
    usleep(30000);
    double waited = 0;
    for (unsigned post = 0; post < POSTS; post++) {
        waited += post_prices(post);
        usleep(25000);
    }
    double wall = now();
    closing = 1;
    for (int n = 0; n < 3; n++)
        pthread_join(displays[n], NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "version %u\nwaiting %.3f\nwall %.3f\n", table.version, waited / wall, wall);
    fclose(truth);
    return 0;
}
