#!/bin/bash
# Which letters of the day mention one of the names on the list? Counts them by post office.
export LC_ALL=C.UTF-8
t0=$EPOCHREALTIME
grep -i -f names.txt letters.txt > hits.txt
t1=$EPOCHREALTIME
awk '{ n[$1]++ } END { for (o in n) print o, n[o] }' hits.txt | sort -k2,2nr > per-office.txt
sort -k2,2 letters.txt | awk '{ print $2 }' | uniq -c | sort -nr | head -20 > frequent.txt
xz -1 -k -f letters.txt
t2=$EPOCHREALTIME
awk "BEGIN { printf \"grep %.3f\nall %.3f\n\", $t1 - $t0, $t2 - $t0 }" > measured
head -3 per-office.txt
