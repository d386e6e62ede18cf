#!/bin/sh
awk 'BEGIN { srand(3); for (i = 0; i < 1600000; i++) printf "%d;GUEST NUMBER %d;c%02d;%d\n", i, i, rand() * 60, 1 + rand() * 12 }' > guests.csv
