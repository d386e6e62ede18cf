/* Makes the rolls, and lets the kernel forget them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    static uint32_t block[262144];
    int fd = open("rolls.dat", O_RDWR | O_CREAT | O_TRUNC, 0644);
    uint32_t x = 12345;
    for (int b = 0; b < 160; b++) {
        for (int i = 0; i < 262144; i++)
            block[i] = x = x * 1664525u + 1013904223u;
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
            return 1;
    }
    if (fsync(fd))
        return 1;
    return posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}
