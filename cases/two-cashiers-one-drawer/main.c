/* A cashier. The drawer is shared memory with a mutex for all processes; the other cashier uses it, too. */
#include "drawer.h"

__attribute__((noinline)) static void put_into_drawer(struct drawer *drawer, long cents)
{
    lock_drawer(drawer);
    drawer->cents += cents;
    drawer->sales++;
    pthread_mutex_unlock(&drawer->mutex);
}

int main(void)
{
    struct drawer *drawer = open_drawer();
    double start = now(), waited = 0;
    long sales = 0;
    while (now() - start < 2.0) {
        double before = now();
        put_into_drawer(drawer, 250 + sales % 100);
        waited += now() - before;
        sales++;
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "sales %ld\nwaiting %.3f\n", sales, waited / (now() - start));
    return fclose(truth);
}
