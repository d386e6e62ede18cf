/* Continues a simulation from a snapshot without reading all of it first: the memory is filled
   page by page when it is used (userfaultfd), by a restorer that takes the pages from the file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define CELLS_SIZE (48u << 20)

static int faults;
static int snapshot;
static char *memory;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void *restorer(void *unused)
{
    static char page[PAGE] __attribute__((aligned(PAGE)));
    (void)unused;
    for (;;) {
        struct uffd_msg message;
        if (read(faults, &message, sizeof message) != sizeof message)
            continue;
        if (message.event != UFFD_EVENT_PAGEFAULT)
            continue;
        unsigned long at = message.arg.pagefault.address & ~(unsigned long)(PAGE - 1);
        if (pread(snapshot, page, PAGE, (off_t)(at - (unsigned long)memory)) != PAGE)
            memset(page, 0, PAGE);
        struct uffdio_copy copy = {.dst = at, .src = (unsigned long)page, .len = PAGE};
        ioctl(faults, UFFDIO_COPY, &copy);
    }
    return NULL;
}

static void start_restorer(void)
{
    pthread_t thread;
    faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    struct uffdio_api api = {.api = UFFD_API};
    if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0) {
        perror("userfaultfd");
        exit(1);
    }
    pthread_create(&thread, NULL, restorer, NULL);
    pthread_detach(thread);
}

/* Makes the memory of a run, all of it still in the snapshot. */
static void begin_run(void)
{
    memory = mmap(NULL, CELLS_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct uffdio_register area = {
        .range = {(unsigned long)memory, CELLS_SIZE},
        .mode = UFFDIO_REGISTER_MODE_MISSING,
    };
    if (ioctl(faults, UFFDIO_REGISTER, &area) != 0) {
        perror("register");
        exit(1);
    }
}

static long step_cells(double until, double *waited)
{
    unsigned *cells = (unsigned *)memory;
    long sum = 0;
    for (size_t i = 0; i < CELLS_SIZE / sizeof *cells; i += PAGE / sizeof *cells) {
        double before = now();
        unsigned first = cells[i];
        double after = now();
        *waited += after - before;
        if (after > until)
            break;
        for (unsigned k = 0; k < PAGE / sizeof *cells; k++) {
            unsigned value = cells[i + k] + first;
            value ^= value << 13;
            value ^= value >> 17;
            cells[i + k] = value;
            sum += value & 1;
        }
    }
    return sum;
}

int main(void)
{
    double start = now(), waited = 0;
    snapshot = open("cells.snapshot", O_RDONLY);
    if (snapshot < 0) {
        perror("cells.snapshot");
        return 1;
    }
    start_restorer();
    long alive = 0;
    int runs = 0;
    while (now() - start < 2.0) {
        begin_run();
        alive += step_cells(start + 2.0, &waited);
        munmap(memory, CELLS_SIZE);
        runs++;
    }
    printf("%d runs, %ld cells alive, first touches took %.3f of the time\n", runs, alive, waited / (now() - start));
    return 0;
}
