/* Two children compute noise for a synthesizer; the parent mixes what comes through their pipes, and writes it in blocks of 256 KB. */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, CHILDREN = 2 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void fill_noise(uint8_t *block, uint64_t *state) {
    for (int n = 0; n < BLOCK; n++) {
        for (int filter = 0; filter < 24; filter++)
            *state = *state * 6364136223846793005u + 1442695040888963407u;
        block[n] = *state >> 56;
    }
}

static void make_noise(int out, uint64_t seed, double until) {
    static uint8_t block[BLOCK];
    while (now() < until) {
        fill_noise(block, &seed);
        if (write(out, block, BLOCK) != BLOCK)
            break;
    }
    _exit(0);
}

static long mix(struct pollfd *pipes, FILE *music) {
    static uint8_t block[BLOCK];
    long bytes = 0;
    for (int open = CHILDREN; open > 0;) {
        poll(pipes, CHILDREN, -1);
        for (int n = 0; n < CHILDREN; n++) {
            if (!(pipes[n].revents & (POLLIN | POLLHUP)))
                continue;
            ssize_t got = read(pipes[n].fd, block, BLOCK);
            if (got <= 0) {
                pipes[n].fd = -1;
                open--;
                continue;
            }
            fwrite(block, 1, got, music);
            bytes += got;
        }
    }
    return bytes;
}

int main(void) {
    struct pollfd pipes[CHILDREN];
    double start = now();
    for (int n = 0; n < CHILDREN; n++) {
        int ends[2];
        if (pipe(ends) != 0)
            return 1;
        if (fork() == 0)
            make_noise(ends[1], n + 1, start + 1.9);
        close(ends[1]);
        pipes[n] = (struct pollfd){ends[0], POLLIN, 0};
    }
    FILE *music = fopen("music.raw", "w");
    setvbuf(music, NULL, _IOFBF, 4 * BLOCK);
    long bytes = mix(pipes, music);
    fclose(music);
    while (wait(NULL) > 0)
        ;
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "cpus_of_children %.2f\nbytes %ld\n", (used.ru_utime.tv_sec + used.ru_utime.tv_usec / 1e6) / (now() - start), bytes);
    fclose(truth);
    unlink("music.raw");
    return 0;
}
