#!/bin/bash
# The night's work of the apiary: each export must be complete before the statistics of that hive are made.

start_export() {
    # The export detaches itself, as the old scheduler wanted it.
    (setsid awk -v hive="$1" 'BEGIN { srand(hive); for (i = 0; i < 60000; i++) print hive, i, int(rand() * 400) }' > "$1.export" &
     echo $! > "$1.pid")
}

wait_for() {
    tail --pid="$(cat "$1.pid")" -f /dev/null
}

statistics() {
    sort -k3,3n "$1.export" | awk '{ v[NR] = $3 } END { print $1, "median", v[int(NR / 2)] }'
}

t0=$EPOCHREALTIME
waited=0
for hive in 1; do
    start_export $hive
    a=$EPOCHREALTIME
    wait_for $hive
    waited=$(awk "BEGIN { print $waited + $EPOCHREALTIME - $a }")
    statistics $hive
done
awk "BEGIN { printf \"waited %.3f\nall %.3f\nshare %.3f\n\", $waited, $EPOCHREALTIME - $t0, $waited / ($EPOCHREALTIME - $t0) }" > measured
