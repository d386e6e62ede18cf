#!/bin/bash
# Exports the customers of four regions, two at a time; an export that hangs is stopped after a while.
set -u
LIMIT=2.2

export_region() {
    local region=$1
    awk -v region="$region" 'BEGIN {
        srand(region)
        for (i = 0; i < 900000; i++) {
            id = int(rand() * 1000000)
            sum[id % 997] += id % 211
        }
        for (key in sum) print region, key, sum[key]
    }' | sort -k2n > "region-$region.txt"
}

with_limit() {
    "$@" &
    local job=$!
    ( sleep "$LIMIT"; kill "$job" 2> /dev/null ) &
}

for region in 1 2; do with_limit export_region "$region"; done
wait
cat region-*.txt | awk '{ n += $3 } END { print n, "in all" }'
