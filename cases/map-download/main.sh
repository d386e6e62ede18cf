#!/bin/bash
# Gets the tiles of a hiking map for use without a network.

base=http://127.0.0.1:18744

get_tile() {
  curl -s -f -o "tiles/$1-$2.png" "$base/$1/$2.png"
}

mkdir tiles
until=$(( $(date +%s%N) + 2100000000 ))
count=0
for x in $(seq 0 39); do
  for y in $(seq 0 39); do
    [ "$(date +%s%N)" -lt "$until" ] || break 2
    get_tile "$x" "$y"
    count=$((count + 1))
  done
done
echo "$count tiles, $(cat tiles/*.png | wc -c) bytes"
