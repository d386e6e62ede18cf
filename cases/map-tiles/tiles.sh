#!/bin/sh
# Makes the tiles of a map.
for tile in 1 2 3 4; do
    awk -v tile=$tile 'BEGIN { for (n = 0; n < 95000; n++) print "tile", tile, "row", n ":", n * 7919 % 104729, n * n % 7907, n * 31 % 997 }' > tile-$tile.txt
done
