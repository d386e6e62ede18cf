/* A photo program: the filter of each picture is a library, which is loaded for the picture and unloaded after it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static double loading;

static unsigned apply_filter(const char *path, unsigned picture) {
    double before = now();
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    unsigned (*filter)(unsigned) = (unsigned (*)(unsigned))dlsym(library, "filter");
    loading += now() - before;
    unsigned result = filter(picture);
    before = now();
    dlclose(library);
    loading += now() - before;
    return result;
}

int main(void) {
    unsigned picture = 0, sum = 0;
    double start = now();
    for (; now() - start < 2; picture++)
        sum ^= apply_filter("./sepia.so", picture);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "loading %.3f\npictures %u\nsum %u\n", loading / (now() - start), picture, sum);
    fclose(truth);
    return 0;
}
