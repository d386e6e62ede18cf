#!/bin/bash
# Saves the notes to the stick, day by day, for two seconds at most; the rest is for next time.
t0=$EPOCHREALTIME
spent=0
for day in notes/*; do
    a=$EPOCHREALTIME
    cp -r "$day" stick/
    b=$EPOCHREALTIME
    spent=$(awk "BEGIN { print $spent + $b - $a }")
    find "$day" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum >> saved.sums
    awk "BEGIN { exit !($b - $t0 > 2) }" && break
done
awk "BEGIN { printf \"copying %.3f\nall %.3f\n\", $spent, $EPOCHREALTIME - $t0 }" > measured
