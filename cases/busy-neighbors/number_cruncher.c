// Computes with three processes for each CPU.
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    for (long more = 3 * sysconf(_SC_NPROCESSORS_ONLN); more > 1; more--)
        if (fork() == 0) break;
    close(open("ready", O_WRONLY | O_CREAT, 0644));
    for (volatile unsigned long n = 0;; n++) {}
}
