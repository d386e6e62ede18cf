#!/bin/sh
mkdir -p reels
i=0
while [ $i -lt 12 ]; do
    awk -v s=$i 'BEGIN { srand(s); for (n = 0; n < 9000; n++) print n, int(rand() * 100000), "scene", n % 40 }' > reels/reel$i.txt
    i=$(( i + 1 ))
done
