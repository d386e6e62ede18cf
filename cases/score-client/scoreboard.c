/* The scoreboard's service: keeps the scores in a text file and tells the rank of a player. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX = 20000 };

struct score {
    char player[16];
    long points;
};

static struct score scores[MAX];

static void make_scores(const char *path)
{
    FILE *file = fopen(path, "w");
    unsigned seed = 9;
    for (int i = 0; i < MAX; i++)
        fprintf(file, "player%d %d\n", i, rand_r(&seed) % 1000000);
    fclose(file);
}

static int load_scores(const char *path)
{
    FILE *file = fopen(path, "r");
    int n = 0;
    while (n < MAX && fscanf(file, "%15s %ld", scores[n].player, &scores[n].points) == 2)
        n++;
    fclose(file);
    return n;
}

static int rank_of(const char *player)
{
    int n = load_scores("scores.txt"), rank = 1;
    long points = -1;
    for (int i = 0; i < n; i++)
        if (!strcmp(scores[i].player, player))
            points = scores[i].points;
    for (int i = 0; i < n; i++)
        rank += scores[i].points > points;
    return rank;
}

static void serve(int client)
{
    char text[64];
    ssize_t n;
    while ((n = read(client, text, sizeof text - 1)) > 0) {
        text[n] = 0;
        text[strcspn(text, "\n")] = 0;
        n = snprintf(text, sizeof text, "%d\n", rank_of(text));
        if (write(client, text, n) != n)
            break;
    }
    close(client);
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "board.sock"};
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    make_scores("scores.txt");
    if (bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 8)) {
        perror("board.sock");
        return 1;
    }
    fclose(fopen("ready", "w"));
    for (;;)
        serve(accept(server, NULL, NULL));
}
