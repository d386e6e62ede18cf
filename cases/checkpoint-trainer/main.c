/* Trains a model in a child. At each checkpoint the child stops, the parent notes its progress and lets it go on. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct progress {
    int epoch;
    double loss;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void nap(long ms)
{
    struct timespec t = {0, ms * 1000000};
    nanosleep(&t, NULL);
}

static double train_epoch(double weights)
{
    for (int i = 0; i < 2000000; i++)
        weights += (0.5 - weights * weights) * 1e-6;
    return weights;
}

static void checkpoint(void)
{
    raise(SIGSTOP);
}

static void train(struct progress *progress, double end)
{
    double weights = 0.1;
    while (now() < end) {
        weights = train_epoch(weights);
        progress->epoch++;
        progress->loss = 0.5 - weights * weights;
        checkpoint();
    }
}

static void supervise(pid_t trainer, const struct progress *progress, FILE *notes)
{
    int status;
    for (;;) {
        pid_t changed = waitpid(trainer, &status, WNOHANG | WUNTRACED);
        if (changed == trainer && WIFEXITED(status))
            return;
        if (changed == trainer && WIFSTOPPED(status)) {
            fprintf(notes, "%d %.6f\n", progress->epoch, progress->loss);
            kill(trainer, SIGCONT);
        }
        nap(100);
    }
}

int main(void)
{
    struct progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *notes = fopen("training.notes", "w");
    double end = now() + 2;
    pid_t trainer = fork();
    if (trainer == 0) {
        train(progress, end);
        _exit(0);
    }
    supervise(trainer, progress, notes);
    fclose(notes);
    printf("%d epochs, loss %.6f\n", progress->epoch, progress->loss);
    return 0;
}
