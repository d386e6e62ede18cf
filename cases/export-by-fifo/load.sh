#!/bin/sh
# Loads the export of the day from a named pipe, sorts it and makes a summary per region.
set -e

prepare_folder() {
	mkdir -p out
	seq 1 40 | sed 's/.*/region-&/' > out/regions
}

take_over() {
	sort -t, -k2,2 -k1n,1 < orders.fifo > out/sorted.csv
}

summary() {
	awk -F, '{ sum[$2] += $3; n[$2]++ } END { for (r in sum) print r, n[r], sum[r] }' out/sorted.csv |
		sort > out/summary
}

prepare_folder
before=$(date +%s%N)
echo 2026-11-23 > wanted.tmp
mv wanted.tmp wanted
take_over
after=$(date +%s%N)
summary
echo "take_over_ms $(((after - before) / 1000000))" > truth
echo "rows $(wc -l < out/sorted.csv)" >> truth
