/* Labels the flows of a router's export with the name of their service and adds up bytes per service. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct flow {
    uint32_t from, to;
    uint16_t from_port, to_port;
    uint32_t bytes;
};

struct total {
    char service[24];
    unsigned long flows, bytes;
};

static struct total totals[512];
static int total_count;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static struct flow next_flow(unsigned *seed)
{
    static const uint16_t ports[] = {22, 53, 80, 123, 443, 993, 5432, 6000, 8080, 27017, 41000, 60001};
    struct flow f;
    f.from = rand_r(seed);
    f.to = rand_r(seed);
    f.from_port = 32768 + rand_r(seed) % 28000;
    f.to_port = ports[rand_r(seed) % 12];
    f.bytes = 64 + rand_r(seed) % 150000;
    return f;
}

static const char *service_of(const struct flow *f)
{
    struct servent *entry = getservbyport(htons(f->to_port), "tcp");
    if (!entry)
        entry = getservbyport(htons(f->from_port), "tcp");
    return entry ? entry->s_name : "other";
}

static void account(const struct flow *f)
{
    const char *service = service_of(f);
    int i = 0;
    while (i < total_count && strcmp(totals[i].service, service))
        i++;
    if (i == total_count) {
        if (total_count == 512)
            return;
        snprintf(totals[total_count++].service, sizeof totals[i].service, "%s", service);
    }
    totals[i].flows++;
    totals[i].bytes += f->bytes;
}

int main(void)
{
    unsigned seed = 7;
    double start = now();
    long flows = 0;
    while (now() - start < 2) {
        struct flow f = next_flow(&seed);
        account(&f);
        flows++;
    }
    for (int i = 0; i < total_count; i++)
        printf("%-16s %10lu %14lu\n", totals[i].service, totals[i].flows, totals[i].bytes);
    printf("%ld flows\n", flows);
    return 0;
}
