/* Appends the number of a colony's birds to its card. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    int fd = open("cards", O_WRONLY | O_CREAT | O_APPEND, 0644);
    write(fd, argv[1], strlen(argv[1]));
    write(fd, "\n", 1);
    return 0;
}
