#!/bin/bash
# Passengers per stop, for each quarter of an hour; with stdbuf, so that one can watch it.
set -eu
end=$(( $(date +%s%N) + 1900000000 ))
n=0
while [ "$(date +%s%N)" -lt "$end" ]; do
    stdbuf -o0 cut -d';' -f3,4,5 trips.csv |
        awk -F';' '{ split($3, p, " "); sum[$2] += p[1] } END { for (s in sum) print s, sum[s] }' |
        sort > "stops.$n"
    n=$(( n + 1 ))
done
echo "$n reports"
