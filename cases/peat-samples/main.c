/* Files the samples of a bog by their depth, in a tree, and finds neighbours. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct node {
    long depth;
    double carbon;
    struct node *left, *right;
};

static struct node *root;
static long count;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static struct node *new_node(long depth, double carbon)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->depth = depth;
    n->carbon = carbon;
    n->left = n->right = NULL;
    return n;
}

static void insert_sample(long depth, double carbon)
{
    struct node **p = &root;
    while (*p) {
        if (depth == (*p)->depth) {
            (*p)->carbon = ((*p)->carbon + carbon) / 2;
            return;
        }
        p = depth < (*p)->depth ? &(*p)->left : &(*p)->right;
    }
    *p = new_node(depth, carbon);
    count++;
}

/* The core comes out of the drill from the top down. */
static void read_core(double until)
{
    unsigned long x = 1;
    long depth = 0;
    while (now() < until) {
        for (int i = 0; i < 20; i++) {
            x = x * 6364136223846793005UL + 1442695040888963407UL;
            depth += 1 + (x >> 60);
            insert_sample(depth, (x >> 40 & 1023) / 1024.0);
        }
    }
}

static double mean_carbon(void)
{
    double sum = 0;
    long n = 0;
    for (const struct node *p = root; p; p = p->right) {
        sum += p->carbon;
        n++;
    }
    return n ? sum / n : 0;
}

int main(void)
{
    read_core(now() + 2.0);
    printf("%ld samples, %.4f\n", count, mean_carbon());
    return 0;
}
