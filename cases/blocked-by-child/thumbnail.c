// Makes a thumbnail: 25 ms of computing.
#include <stdio.h>
#include <time.h>

int main(void) {
    unsigned color = 1;
    while (clock() < CLOCKS_PER_SEC / 40)
        for (int pixel = 0; pixel < 10000; pixel++) color = color * 31 + pixel;
    printf("%u\n", color);
}
