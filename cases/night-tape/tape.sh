#!/bin/sh
# Packs the reels for the tape; politely, on the CPU that is kept for batch work.
set -eu
end=$(( $(date +%s%N) + 2000000000 ))
pack() { nice -n 5 taskset -c 1 tar -cf - "$1" | nice -n 5 taskset -c 1 gzip -6 > "tape/$(basename "$1").tgz"; }
mkdir -p tape
n=0
while [ "$(date +%s%N)" -lt "$end" ]; do
    pack "reels/reel$(( n % 12 )).txt"
    n=$(( n + 1 ))
done
echo "$n reels"
