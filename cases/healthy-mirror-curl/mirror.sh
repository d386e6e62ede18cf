#!/bin/sh
# Makes a copy of all pages of a club.
mkdir -p copy
curl -s --fail -o "copy/#1.html" -w '%{time_total}\n' "http://127.0.0.1:$(cat port)/page-[1-6000]" > times.txt
awk '{ sum += $1 } END { printf "mean_ms %.2f\n", sum / NR * 1000 }' times.txt > truth
