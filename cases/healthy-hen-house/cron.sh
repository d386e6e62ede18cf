#!/bin/bash
# The clock of a hen house: runs what is due at its time (seconds from the start; job), and sleeps in between.
start=$EPOCHREALTIME
while read -r at job; do
    pause=$(awk "BEGIN { p = $at - ($EPOCHREALTIME - $start); print (p > 0 ? p : 0) }")
    sleep "$pause"
    case $job in
    count) seq 1 2000 | awk '{ n += $1 % 3 } END { print "hens", n }' ;;
    door) echo "door at $at" ;;
    light) echo "light at $at" ;;
    esac
done < "$CASE/plan.txt"
