/* Makes a label for each order, which takes 0.24 s of its own CPU clock. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static unsigned pixels[64 * 1024];

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void draw_label(int number)
{
    double until = cpu_seconds() + 0.24;
    for (unsigned round = number; cpu_seconds() < until; round++)
        for (unsigned i = 0; i < sizeof pixels / sizeof *pixels; i++)
            pixels[i] = pixels[i] * 33 + (i ^ round);
}

int main(void)
{
    char order[32], label[32];
    fclose(fopen("ready", "w"));
    for (int number = 0;; number++) {
        sprintf(order, "order-%d", number);
        sprintf(label, "label-%d", number);
        while (access(order, F_OK) != 0)
            usleep(2000);
        draw_label(number);
        FILE *out = fopen("label.tmp", "w");
        fprintf(out, "label %u\n", pixels[number]);
        fclose(out);
        rename("label.tmp", label);
    }
}
