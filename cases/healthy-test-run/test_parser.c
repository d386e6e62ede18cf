// One test: parses numbers for 60 ms.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **words) {
    long sum = 0;
    while (clock() < CLOCKS_PER_SEC * 6 / 100)
        for (int n = 0; n < 1000; n++) {
            char text[16];
            snprintf(text, sizeof text, "%d", n);
            sum += strtol(text, NULL, 10);
        }
    return count < 2 || sum % 499500 != 0 || words[1][0] == '\0';
}
