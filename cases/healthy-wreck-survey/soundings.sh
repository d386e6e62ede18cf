#!/bin/sh
# Makes eight files of soundings.
for n in 1 2 3 4 5 6 7 8; do
  awk -v n=$n 'BEGIN { for (i = 0; i < 160000; i++) print "track" i % 40, i * n % 1009, 20 + i * 31 % 97 }' > "area$n.dat"
done
