// Tries to get a file lock, sleeps, tries again, while another program holds it.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int tries;

static void lock_spool(int file) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    while (fcntl(file, F_SETLK, &lock)) {
        tries++;
        usleep(50000);
    }
}

int main(void) {
    int file = open("spool.lock", O_RDWR | O_CREAT, 0644);
    double start = now();
    fclose(fopen("asked", "w"));
    lock_spool(file);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "tries %d\nseconds %.3f\n", tries, now() - start);
    fclose(truth);
}
