// Produces lines at full speed; the program that reads them takes 5 ms for each 4 KB.
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void slow_reader(int in) {
    char buffer[4096];
    prctl(PR_SET_NAME, "slow-reader");
    while (read(in, buffer, sizeof buffer) > 0) usleep(5000);
    _exit(0);
}

static double send_block(int out, const char *block, size_t length) {
    double before = now();
    if (write(out, block, length) < 0) _exit(1);
    return now() - before;
}

int main(void) {
    int ends[2];
    char block[4096];
    double waited = 0, start = now();
    if (pipe(ends)) return 1;
    if (fork() == 0) {
        close(ends[1]);
        slow_reader(ends[0]);
    }
    close(ends[0]);
    memset(block, 'x', sizeof block);
    while (now() - start < 1.5) waited += send_block(ends[1], block, sizeof block);
    double written = now() - start;
    close(ends[1]);
    wait(NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "write_share %.3f\nwriting %.3f\n", waited / (now() - start), written);
    fclose(truth);
}
