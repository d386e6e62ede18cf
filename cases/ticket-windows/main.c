// Visitors (threads) buy tickets at the office, which listens on a Unix socket.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double start, queueing, answering;
static pthread_mutex_t sums = PTHREAD_MUTEX_INITIALIZER;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int step_into_queue(void) {
    int office = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "office.sock"};
    if (connect(office, (struct sockaddr *)&name, sizeof name)) _exit(1);
    return office;
}

static void buy_ticket(int office) {
    char ticket[16];
    if (write(office, "one", 3) != 3 || read(office, ticket, sizeof ticket) < 1) _exit(1);
    close(office);
}

static void *visit(void *unused) {
    while (now() - start < 2) {
        double before = now();
        int office = step_into_queue();
        double connected = now();
        buy_ticket(office);
        double after = now();
        pthread_mutex_lock(&sums);
        queueing += connected - before;
        answering += after - connected;
        pthread_mutex_unlock(&sums);
    }
    return unused;
}

int main(void) {
    pthread_t visitors[16];
    start = now();
    for (int n = 0; n < 16; n++) pthread_create(&visitors[n], NULL, visit, NULL);
    for (int n = 0; n < 16; n++) pthread_join(visitors[n], NULL);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "queueing %.3f\nanswering %.3f\n", queueing / 16, answering / 16);
    fclose(truth);
}
