/* Draws the first page of a document and prints the checksum of the picture. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#define WIDTH 600
#define HEIGHT 800

static unsigned page[HEIGHT][WIDTH];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void draw_text(const char *text)
{
    for (int y = 0; y < HEIGHT; y += 20)
        for (int x = 0; x < WIDTH; x++)
            page[y][x] = text[(x / 10) % strlen(text)];
}

/* A soft shadow: each dot takes a little of its neighbours. */
__attribute__((noinline)) static void blur_page(void)
{
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            page[y][x] = (page[y][x] * 12 + (page[y - 1][x] + page[y + 1][x] + page[y][x - 1] + page[y][x + 1])) / 16;
}

int main(int count, char **arguments)
{
    double start = now();
    draw_text(count > 1 ? arguments[1] : "nothing");
    while (now() - start < 0.2)
        blur_page();
    unsigned long sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum += page[y][x];
    printf("%s %lu\n", arguments[1], sum);
    return 0;
}
