/* The doors of a house: somebody holds a badge to one of them five times a second. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "doors.sock" };
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    while (connect(s, (void *)&a, sizeof a))
        usleep(20000);
    for (int n = 0;; n++) {
        char line[64];
        int k = snprintf(line, sizeof line, "badge%d door%d\n", n * 13 % 410, n * 31 % 90);
        if (write(s, line, k) != k || read(s, line, sizeof line) <= 0)
            return 0;
        usleep(200000);
    }
}
