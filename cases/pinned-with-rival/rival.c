// Computes on CPU 0 without end.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

int main(void) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(0, &only);
    if (sched_setaffinity(0, sizeof only, &only)) return 1;
    close(open("ready", O_WRONLY | O_CREAT, 0644));
    for (volatile unsigned long n = 0;; n++) {}
}
