#!/bin/sh
mkdir -p songs
i=0
while [ $i -lt 16 ]; do
    awk -v s=$i 'BEGIN { srand(s); for (n = 0; n < 9000; n++) printf "%d %c %d\n", n, 97 + rand() * 26, rand() * 900 }' > songs/song$i.txt
    i=$(( i + 1 ))
done
