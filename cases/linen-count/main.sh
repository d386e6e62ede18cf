#!/bin/bash
# Counts the linen of a hotel by kind: what is written by the rooms goes through a pipeline of tools.
set -e -o pipefail

rooms() {
  awk 'BEGIN {
    split("towel sheet pillowcase napkin bathrobe tablecloth", kinds, " ")
    state = 17
    for (n = 0; n < 900000; n++) {
      state = (state * 1103 + 12345) % 65521
      printf "room-%03d %s-%02d %d\n", state % 400, kinds[state % 6 + 1], state % 37, n % 3
    }
  }'
}

rooms | cut -d ' ' -f 2 | LC_ALL=C sort --buffer-size=64M | uniq -c | sort -rn > counts.txt
echo "kinds $(wc -l < counts.txt)" > truth
