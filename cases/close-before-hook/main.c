// A mail filter that runs a hook for every message. Before the hook starts, the child closes all files it may have
// inherited: all numbers up to the limit, which is raised as far as it may be (20,000 and more).
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct counters {
    double closing;
    long hooks, files;
};

static struct counters *counters;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void close_inherited_files(void) {
    int limit = sysconf(_SC_OPEN_MAX);
    for (int file = 3; file < limit; file++) close(file);
    counters->files = limit;
}

static int run_hook(const char *hook, const char *message) {
    pid_t child = fork();
    if (child == 0) {
        double before = now();
        close_inherited_files();
        counters->closing += now() - before;
        execlp(hook, hook, message, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    counters->hooks++;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < 200000 ? files.rlim_max : 200000;
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) perror("setrlimit");
    counters = mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double start = now();
    char message[32];
    while (now() - start < 2.0) {
        snprintf(message, sizeof message, "message-%ld", counters->hooks);
        if (run_hook("true", message) != 0) return 1;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "closing %.3f\nhooks %ld\nfiles_per_hook %ld\n", counters->closing / (now() - start), counters->hooks,
            counters->files);
    fclose(truth);
}
