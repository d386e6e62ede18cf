/* Draughts (a small model of it): looks for the best move within two seconds, and looks at the clock now and then. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static double end;
static unsigned long nodes, asked;
static int over;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int time_is_up(void)
{
    if (nodes % 8192 == 0) {
        asked++;
        over = now() > end;
    }
    return over;
}

__attribute__((noinline)) static int evaluate(uint64_t board)
{
    int value = 0;
    for (int square = 0; square < 64; square += 2)
        value += ((board >> square) & 1) * (3 + square % 5) - ((board >> (square + 1)) & 1) * (3 + square % 7);
    return value;
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
    end = now() + 2.0;
    int best = 0, depth = 4;
    while (!over)
        best = search(0x0123456789abcdefull, depth < 40 ? depth++ : depth, -1000, 1000);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "nodes %lu\ndepth %d\nbest %d\nasked %lu\n", nodes, depth, best, asked);
    return fclose(truth);
}
