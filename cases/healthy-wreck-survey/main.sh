#!/bin/bash
# The mean depths of a survey for wrecks, two areas at a time.
here=$(dirname "$0")
find . -name 'area*.dat' -print0 | sort -z | xargs -0 -n 1 -P 2 awk -f "$here/depth.awk" | sort > depths.txt
echo "$(wc -l < depths.txt) tracks, deepest $(sort -k 3 -n depths.txt | tail -n 1)"
