/* Takes the oldest part out of the spool, four times a second. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int take_oldest(void)
{
    char oldest[300] = "";
    DIR *d = opendir("spool");
    struct dirent *e;
    while (d && (e = readdir(d)))
        if (e->d_name[0] != '.' && (!*oldest || strcmp(e->d_name, oldest) < 0))
            strcpy(oldest, e->d_name);
    if (d)
        closedir(d);
    if (!*oldest)
        return 0;
    char path[320];
    snprintf(path, sizeof path, "spool/%s", oldest);
    return unlink(path) == 0;
}

int main(void)
{
    close(open("ready", O_CREAT | O_WRONLY, 0644));
    for (;;) {
        usleep(250 * 1000);
        take_oldest();
    }
}
