// Checks the sum of all rates, by all interest that they would bring.
#include <stdio.h>
#include <string.h>
#include <time.h>

static double interest(int month) {
    double sum = 0;
    for (int day = 1; day < 30000; day++) sum += 1.0 / (day * (double)(day + month));
    return sum;
}

int main(int argc, char **argv) {
    char line[80] = "";
    struct timespec t;
    FILE *rates = fopen(argv[argc - 1], "r");
    double sum = 0;
    if (!rates || !fgets(line, sizeof line, rates)) return 125;
    do {
        for (int month = 0; month < 12; month++) sum += interest(month);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    } while (t.tv_sec + t.tv_nsec * 1e-9 < 0.25);
    return strncmp(line, "right", 5) != 0 || sum < 0;
}
