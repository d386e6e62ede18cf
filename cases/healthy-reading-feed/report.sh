#!/bin/bash
# Adds up the readings of all meters: one pass, nothing kept but the sums.
set -euo pipefail
gzip -dc readings.jsonl.gz |
    jq -r '[.meter, .hour, .value] | @tsv' |
    awk -F'\t' '{ sum[$1] += $3; if ($3 > top[$1]) top[$1] = $3 } END { for (m in sum) printf "%s\t%.1f\t%.1f\n", m, sum[m], top[m] }' |
    sort > report.tsv
head -n 3 report.tsv
