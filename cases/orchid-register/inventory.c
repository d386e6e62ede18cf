// Reads all photos without the cache, sixteen parts at a time; waits until the file "go" is there.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PART = 4 << 20, PARTS = 64, AT_ONCE = 16 };

static void count_part_after_part(int first) {
    int file = open("disk/photos.tar", O_RDONLY | O_DIRECT);
    void *part = aligned_alloc(4096, PART);
    for (int n = first; access("go", F_OK) == 0; n = (n + AT_ONCE) % PARTS)
        if (pread(file, part, PART, (off_t)n * PART) != PART) break;
    _exit(0);
}

int main(void) {
    fclose(fopen("ready", "w"));
    while (access("go", F_OK) != 0) usleep(20000);
    for (int n = 0; n < AT_ONCE - 1; n++)
        if (fork() == 0) count_part_after_part(n);
    count_part_after_part(AT_ONCE - 1);
}
