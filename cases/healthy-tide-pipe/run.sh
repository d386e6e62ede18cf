#!/bin/bash
# Unpacks the readings of the tides, and adds them up by harbour.
gzip -dc readings.gz | awk -F ';' '{ n[$1]++; s[$1] += $3; d = $3 - 300; q[$1] += d * d } END { for (h in n) printf "%s %d %.2f %.2f\n", h, n[h], s[h] / n[h], q[h] / n[h] }' | sort
