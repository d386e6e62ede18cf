#!/bin/bash
# Makes a sorted list of addresses without repetitions.
set -e
export LC_ALL=C
split -n l/2 addresses.txt part-
pids=()
for part in part-aa part-ab; do
    sort --parallel=1 -S 200M "$part" -o "$part.sorted" &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
sort -m part-aa.sorted part-ab.sorted | uniq | gzip -3 > addresses.gz
echo "lines $(gzip -dc addresses.gz | wc -l)" > truth
times > times.txt
awk 'NR == 2 { print "children", $1 }' times.txt >> truth
