// A picture service works on each picture in some buffers of a few hundred kilobytes. To look small in the statistics of
// the machine, it calls malloc_trim after each picture, and the next one gets its pages from the kernel again.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { LAYERS = 64, BYTES = 96 * 1024 };

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static unsigned char *load_layer(int picture, int layer) {
    unsigned char *pixels = malloc(BYTES);
    memset(pixels, picture + layer, BYTES);
    return pixels;
}

static unsigned blend_layers(unsigned char **layers) {
    unsigned sum = 0;
    for (int n = 0; n < LAYERS; n++) {
        for (int at = 0; at < BYTES; at += 256) sum += layers[n][at];
    }
    return sum;
}

static void look_small(void) {
    malloc_trim(0);
}

static unsigned render_picture(int picture) {
    unsigned char *layers[LAYERS];
    for (int n = 0; n < LAYERS; n++) layers[n] = load_layer(picture, n);
    unsigned sum = blend_layers(layers);
    for (int n = 0; n < LAYERS; n++) free(layers[n]);
    return sum;
}

int main(int argc, char **argv) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20); // small buffers come from the heap,
    mallopt(M_TRIM_THRESHOLD, 64 << 20); // which is to keep them
    double start = now(CLOCK_MONOTONIC);
    long pictures = 0;
    unsigned sum = 0;
    while (now(CLOCK_MONOTONIC) - start < 2) {
        sum += render_picture(pictures++);
        if (argc < 2 || strcmp(argv[1], "--keep") != 0) look_small();
    }
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double system = used.ru_stime.tv_sec + used.ru_stime.tv_usec * 1e-6, all = now(CLOCK_PROCESS_CPUTIME_ID);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "pictures %ld\npage_faults_per_picture %.0f\nsystem_part_of_cpu %.3f\ncpus %.2f\nsum %u\n", pictures,
        (double)used.ru_minflt / pictures, system / all, all / 2, sum);
    return fclose(truth);
}
