/* Routes the messages of a ship's bus: topics and short texts come from a file of samples, and each
   message goes into the slots of all receivers that have subscribed to its topic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RECEIVERS 24
#define TOPICS 40
#define TEXT_MAX 32768

struct slot {
    char topic[32];
    char text[TEXT_MAX];
    unsigned long serial;
};

struct receiver {
    struct slot latest;
    unsigned long long topics;
    unsigned long received;
};

static struct receiver *receivers;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void subscribe_all(void)
{
    receivers = calloc(RECEIVERS, sizeof *receivers);
    for (int r = 0; r < RECEIVERS; r++)
        for (int t = 0; t < TOPICS; t++)
            if ((r * 7 + t * 3) % 5 == 0)
                receivers[r].topics |= 1ull << t;
}

static unsigned checksum(const char *text)
{
    unsigned sum = 5381;
    while (*text)
        sum = sum * 33 + (unsigned char)*text++;
    return sum;
}

static void store(struct slot *slot, const char *topic, const char *text, unsigned long serial)
{
    strncpy(slot->topic, topic, sizeof slot->topic - 1);
    strncpy(slot->text, text, sizeof slot->text - 1);
    slot->serial = serial;
}

static void publish(int topic, const char *name, const char *text, unsigned long serial)
{
    for (int r = 0; r < RECEIVERS; r++) {
        if (!(receivers[r].topics >> topic & 1))
            continue;
        store(&receivers[r].latest, name, text, serial);
        receivers[r].received++;
    }
}

int main(void)
{
    subscribe_all();
    double start = now(), limit = start + 2.0;
    unsigned long serial = 0;
    unsigned sum = 0;
    while (now() < limit) {
        char name[32], text[160];
        int topic = (int)(serial % TOPICS);
        snprintf(name, sizeof name, "engine/%d", topic);
        snprintf(text, sizeof text, "{\"rpm\":%lu,\"oil\":%lu,\"alarm\":false}", 900 + serial % 300, serial % 97);
        sum ^= checksum(text);
        publish(topic, name, text, serial++);
    }
    unsigned long received = 0;
    for (int r = 0; r < RECEIVERS; r++)
        received += receivers[r].received;
    printf("%lu messages, %lu received, %u\n", serial, received, sum);
    return 0;
}
