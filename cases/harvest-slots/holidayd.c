/* Knows the holidays of all villages, and tells for a day and a village whether somebody works there. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static unsigned easter(unsigned year)
{
    unsigned a = year % 19, b = year / 100, c = year % 100;
    unsigned d = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    unsigned e = (32 + 2 * (b % 4) + 2 * (c / 4) - d - c % 4) % 7;
    unsigned f = (a + 11 * d + 22 * e) / 451;
    return d + e - 7 * f + 114;
}

/* Goes through the calendars of all villages since their foundation. */
static int is_holiday(unsigned day, unsigned village)
{
    unsigned found = 0;
    for (unsigned other = 0; other < 2400; other++)
        for (unsigned year = 1200; year < 2030; year++)
            if ((easter(year) + other) % 365 == day % 365)
                found += other == village;
    return found % 2 == 1;
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "holidays.sock"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(address.sun_path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4) != 0)
        return 1;
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;) {
        unsigned question[2];
        int client = accept(listener, NULL, NULL);
        while (client >= 0 && read(client, question, sizeof question) == sizeof question) {
            char answer = (char)is_holiday(question[0], question[1]);
            if (write(client, &answer, 1) != 1)
                break;
        }
        close(client);
    }
}
