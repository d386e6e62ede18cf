/* Shows the ranks of the players of a lobby; asks the scoreboard's service for each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int connect_board(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int board = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(board, (struct sockaddr *)&address, sizeof address)) {
        perror(path);
        exit(1);
    }
    return board;
}

static int ask_rank(int board, int player)
{
    char text[32];
    int n = snprintf(text, sizeof text, "player%d\n", player);
    if (write(board, text, n) != n || (n = read(board, text, sizeof text - 1)) <= 0)
        exit(1);
    text[n] = 0;
    return atoi(text);
}

int main(void)
{
    int board = connect_board("board.sock");
    double start = now(), asking = 0;
    long players = 0, ranks = 0;
    while (now() - start < 2) {
        double before = now();
        ranks += ask_rank(board, players * 37 % 20000);
        asking += now() - before;
        players++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\nplayers %ld\n", asking / (now() - start), players);
    fclose(truth);
    printf("mean rank %ld\n", ranks / players);
    return 0;
}
