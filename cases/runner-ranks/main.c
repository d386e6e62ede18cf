/* Ranks the runners of a marathon. The timing mats report them nearly in the order of their arrival. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct runner {
    int number;
    int seconds;
    int place;
    int age;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int slower(const struct runner *a, const struct runner *b)
{
    return a->seconds != b->seconds ? a->seconds > b->seconds : a->number > b->number;
}

static void swap(struct runner *a, struct runner *b)
{
    struct runner c = *a;
    *a = *b;
    *b = c;
}

static long partition(struct runner *runners, long low, long high)
{
    struct runner pivot = runners[low];
    long i = low - 1, j = high + 1;
    for (;;) {
        do
            i++;
        while (slower(&pivot, &runners[i]));
        do
            j--;
        while (slower(&runners[j], &pivot));
        if (i >= j)
            return j;
        swap(&runners[i], &runners[j]);
    }
}

static void sort_by_time(struct runner *runners, long low, long high)
{
    while (low < high) {
        long middle = partition(runners, low, high);
        if (middle - low < high - middle) {
            sort_by_time(runners, low, middle);
            low = middle + 1;
        } else {
            sort_by_time(runners, middle + 1, high);
            high = middle;
        }
    }
}

static void report_arrivals(struct runner *runners, long count, int race)
{
    int seconds = 7600;
    for (long i = 0; i < count; i++) {
        seconds += (i * 31 + race) % 3 == 0;
        runners[i] = (struct runner){(int)(i * 7919 % 100000), seconds, 0, 18 + (int)(i * 13 % 60)};
        if (i % 997 == 0)
            runners[i].seconds += 2;
    }
}

static double mean_age_of_best(const struct runner *runners, long count)
{
    double sum = 0;
    for (long i = 0; i < count / 10; i++)
        sum += runners[i].age;
    return sum / (double)(count / 10);
}

int main(void)
{
    const long count = 12000;
    struct runner *runners = calloc((size_t)count, sizeof *runners);
    double start = now(), sorting = 0, age = 0;
    int races = 0;
    while (now() - start < 2.0) {
        report_arrivals(runners, count, races++);
        double begin = now();
        sort_by_time(runners, 0, count - 1);
        sorting += now() - begin;
        for (long i = 0; i < count; i++)
            runners[i].place = (int)i + 1;
        age += mean_age_of_best(runners, count);
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", sorting / (now() - start));
    fclose(truth);
    printf("%d races, the best are %.1f years old\n", races, age / races);
    free(runners);
    return 0;
}
