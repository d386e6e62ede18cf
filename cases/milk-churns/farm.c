// The farm: milks (computes) for 40 ms, then opens the gate (a FIFO) and hands out one churn.
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned milk_cows(void) {
    volatile unsigned litres = 0;
    for (double begin = cpu(); cpu() - begin < 0.04;)
        for (int n = 0; n < 10000; n++) litres += n;
    return litres;
}

int main(void) {
    mkfifo("gate", 0600);
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;) {
        milk_cows();
        int gate = open("gate", O_WRONLY);
        write(gate, "churn\n", 6);
        close(gate);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}
