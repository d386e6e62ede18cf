// A service that reads a small file for each request. It runs for 2.4 s.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned answer_request(unsigned number) {
    char page[400] = "";
    struct stat about;
    int file = open("page.html", O_RDONLY);
    fstat(file, &about);
    int got = read(file, page, sizeof page);
    close(file);
    for (int round = 0; round < 4; round++)
        for (int n = 0; n < got; n++) number = number * 31 + page[n];
    return number + about.st_size;
}

static int tracer(void) {
    char line[100];
    int pid = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status)) sscanf(line, "TracerPid: %d", &pid);
    fclose(status);
    return pid;
}

int main(void) {
    FILE *page = fopen("page.html", "w"), *pid = fopen("service.pid", "w");
    for (int n = 0; n < 12; n++) fprintf(page, "<p>Line %d of a page</p>\n", n);
    fclose(page);
    fprintf(pid, "%d", getpid());
    fclose(pid);
    unsigned early = 0, late = 0, sum = 0;
    double start = now();
    for (; now() - start < 0.15; early++) sum ^= answer_request(early);
    while (now() - start < 0.8) sum ^= answer_request(sum);
    double from = now();
    for (; now() - from < 1.6; late++) sum ^= answer_request(late);
    double took = now() - from;
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "per_second_before %.0f\nper_second_after %.0f\ntracer %d\nsum %u\n", early / 0.15, late / took,
            tracer(), sum);
    fclose(truth);
}
