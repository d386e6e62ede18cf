/* Who has which allotment? The list is a file, which is read from its beginning until the allotment is found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ALLOTMENTS = 20000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void write_list(const char *path) {
    FILE *list = fopen(path, "w");
    for (unsigned n = 0; n < ALLOTMENTS; n++)
        fprintf(list, "%u;family %u;%u square metres\n", n, n * 7919 % 10007, 200 + n % 90);
    fclose(list);
}

static int find_tenant(const char *path, unsigned allotment, char *tenant, size_t size) {
    char line[200];
    FILE *list = fopen(path, "r");
    if (!list)
        return 0;
    int found = 0;
    while (!found && fgets(line, sizeof line, list))
        if (strtoul(line, NULL, 10) == allotment) {
            snprintf(tenant, size, "%s", strchr(line, ';') + 1);
            found = 1;
        }
    fclose(list);
    return found;
}

int main(void) {
    char tenant[200];
    unsigned asked = 0, found = 0;
    write_list("allotments.csv");
    double start = now();
    for (; now() - start < 2; asked++)
        found += find_tenant("allotments.csv", asked * 7919 % ALLOTMENTS, tenant, sizeof tenant);
    double each = (now() - start) / asked;
    unlink("allotments.csv");
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "asked %u\nfound %u\nus_each %.0f\n", asked, found, each * 1e6);
    fclose(truth);
    return 0;
}
