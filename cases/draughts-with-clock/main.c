/* Draughts (a small model of it): looks for the best move within a time limit, and asks at each node whether it is over. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static const double limit = 2.0;
static clock_t begun;
static unsigned long nodes, asked;

__attribute__((noinline)) static int time_is_up(void)
{
    asked++;
    return (double)(clock() - begun) / CLOCKS_PER_SEC > limit;
}

static int evaluate(uint64_t board)
{
    return __builtin_popcountll(board & 0x55aa55aa55aa55aaull) - __builtin_popcountll(board & 0xaa55aa55aa55aa55ull);
}

__attribute__((noinline)) static int search(uint64_t board, int depth, int alpha, int beta)
{
    nodes++;
    if (time_is_up())
        return 0;
    if (depth == 0)
        return evaluate(board);
    for (int move = 0; move < 6 && alpha < beta; move++) {
        uint64_t next = (board ^ (board << (move + 1))) * 0x9e3779b97f4a7c15ull;
        int value = -search(next, depth - 1, -beta, -alpha);
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

int main(void)
{
    begun = clock();
    int best = 0, depth = 4;
    while (!time_is_up())
        best = search(0x0123456789abcdefull, depth++, -100, 100);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "nodes %lu\ndepth %d\nbest %d\nasked %lu\n", nodes, depth, best, asked);
    return fclose(truth);
}
