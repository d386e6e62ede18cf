#!/bin/sh
# Levels per gate, from the protocol of the day. Closed gates do not count.
set -e
started=$(date +%s)
sed -u -e 's/ cm$//' -e 's/level=//' gates.log |
    awk '$3 == "open" { n[$2]++; sum[$2] += $4; if ($4 > top[$2]) top[$2] = $4 }
         END { for (g in n) printf "%s %d %.1f %d\n", g, n[g], sum[g] / n[g], top[g] }' |
    sort > levels.txt
cat levels.txt
echo "took $(($(date +%s) - started)) s"
