// cellvolume A B C ALPHA: volume of a monoclinic unit cell
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    printf("%.3f\n", atof(argv[1]) * atof(argv[2]) * atof(argv[3]) * sin(atof(argv[4]) * M_PI / 180));
    return 0;
}
