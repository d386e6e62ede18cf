/* Shows notices that come by a POSIX message queue, for some seconds. Usage: board QUEUE SECONDS */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct notice {
    int room;
    char text[60];
};

static void show(FILE *board, const struct notice *notice)
{
    fprintf(board, "room %3d  %s\n", notice->room, notice->text);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    mqd_t queue = mq_open(argv[1], O_RDONLY);
    if (queue == (mqd_t)-1) {
        perror(argv[1]);
        return 1;
    }
    mq_unlink(argv[1]); /* nobody else reads it */
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += atoi(argv[2]);
    FILE *board = fopen("board.txt", "w");
    struct notice notice;
    int shown = 0;
    for (;;) {
        if (mq_timedreceive(queue, (char *)&notice, sizeof notice, NULL, &end) == sizeof notice) {
            show(board, &notice);
            shown++;
        } else if (errno == ETIMEDOUT)
            break;
    }
    fclose(board);
    printf("%d notices\n", shown);
    return 0;
}
