/* A film is encoded on both CPUs. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pid_t parent = getpid();
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            return 0;
    } else {
        close(open("ready", O_CREAT | O_WRONLY, 0644));
    }
    alarm(60);
    volatile unsigned long frame = 1;
    for (;;)
        frame = frame * 6364136223846793005UL + 1442695040888963407UL;
}
