/* A tool that answers at once, and starts a server for the next time if there is none. The server has inherited all
 * that the tool has open. */
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	printf("in order\n");
	fflush(stdout);
	if (fork() == 0) {
		setsid();
		prctl(PR_SET_NAME, "style-cached");
		/* Nobody asks it for a while, so it ends. */
		struct timespec idle = {1, 800000000};
		nanosleep(&idle, NULL);
	}
	return 0;
}
