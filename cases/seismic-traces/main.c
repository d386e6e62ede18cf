/* Picks events out of the traces of a seismic network: trace after trace is read asynchronously and looked at. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRACE = 512, TRACES = 40000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int make_survey(const char *path)
{
    int file = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
    static short trace[TRACES / 100][TRACE / 2];
    unsigned seed = 5;
    for (int i = 0; i < TRACES / 100; i++)
        for (int k = 0; k < TRACE / 2; k++)
            trace[i][k] = rand_r(&seed) % 200 - 100;
    for (int i = 0; i < 100; i++)
        if (write(file, trace, sizeof trace) != sizeof trace)
            perror(path);
    return file;
}

static int read_trace(int survey, int number, short *trace)
{
    struct aiocb request;
    memset(&request, 0, sizeof request);
    request.aio_fildes = survey;
    request.aio_buf = trace;
    request.aio_nbytes = TRACE;
    request.aio_offset = (off_t)number * TRACE;
    if (aio_read(&request))
        return -1;
    const struct aiocb *list[] = {&request};
    while (aio_error(&request) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    return aio_return(&request) == TRACE ? 0 : -1;
}

static int has_event(const short *trace)
{
    long energy = 0;
    for (int i = 0; i < TRACE / 2; i++)
        energy += (long)trace[i] * trace[i];
    return energy > 870000;
}

int main(void)
{
    int survey = make_survey("survey.trc");
    double start = now();
    long traces = 0, events = 0;
    while (now() - start < 2) {
        short trace[TRACE / 2];
        if (read_trace(survey, traces % TRACES, trace)) {
            perror("survey.trc");
            return 1;
        }
        events += has_event(trace);
        traces++;
    }
    printf("%ld traces, %ld events\n", traces, events);
    return 0;
}
