/* Packs the sound of a concert: two children code a block each at a time, and the parent puts the blocks in order. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CODERS = 2, BLOCK = 1 << 15 };

struct coded {
    int number;
    unsigned char codes[4000];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void record_block(int number, short *sound)
{
    unsigned x = number + 1;
    for (int i = 0; i < BLOCK; i++) {
        x = x * 1664525 + 1013904223;
        sound[i] = (short)((x >> 18) + i % 97 * 40);
    }
}

static double predict(const short *sound, int order)
{
    double error = 0;
    for (int i = order; i < BLOCK; i++) {
        double guess = 0;
        for (int k = 1; k <= order; k++)
            guess += sound[i - k] * (1.0 / (k + 1));
        error += (sound[i] - guess) * (sound[i] - guess);
    }
    return error;
}

static void code_block(const short *sound, struct coded *coded)
{
    int best = 1;
    double least = predict(sound, 1);
    for (int order = 2; order < 24; order++) {
        double error = predict(sound, order);
        if (error < least) {
            least = error;
            best = order;
        }
    }
    memset(coded->codes, best, sizeof coded->codes);
}

static void run_coder(int first, int out, double end)
{
    static short sound[BLOCK];
    static struct coded coded;
    for (int number = first; now() < end; number += CODERS) {
        record_block(number, sound);
        code_block(sound, &coded);
        coded.number = number;
        if (write(out, &coded, sizeof coded) != sizeof coded)
            break;
    }
}

static int collect(struct pollfd *pipes, FILE *song)
{
    int open = CODERS, blocks = 0;
    struct coded coded;
    while (open && poll(pipes, CODERS, -1) > 0)
        for (int i = 0; i < CODERS; i++)
            if (pipes[i].revents) {
                if (read(pipes[i].fd, &coded, sizeof coded) <= 0) {
                    pipes[i].fd = -1;
                    open--;
                    continue;
                }
                fwrite(coded.codes, 1, sizeof coded.codes, song);
                blocks++;
            }
    return blocks;
}

int main(void)
{
    struct pollfd pipes[CODERS];
    double end = now() + 2;
    for (int i = 0; i < CODERS; i++) {
        int ends[2];
        if (pipe(ends))
            return 1;
        if (fork() == 0) {
            close(ends[0]);
            run_coder(i, ends[1], end);
            _exit(0);
        }
        close(ends[1]);
        pipes[i] = (struct pollfd){ends[0], POLLIN, 0};
    }
    FILE *song = fopen("concert.pak", "w");
    int blocks = collect(pipes, song);
    fclose(song);
    while (wait(NULL) > 0)
        ;
    printf("%d blocks\n", blocks);
    return 0;
}
