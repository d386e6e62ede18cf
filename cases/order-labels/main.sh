#!/bin/bash
# Prints the labels for the orders of a nursery from the export of its shop.

write_export() {
  local plants=(rose aster thyme sage fern)
  for n in $(seq 1 800); do
    printf '{"number":%d,"name":"Customer %d","street":"Lane %d","town":"Town %d","plant":"%s","pots":%d}\n' \
      "$n" "$n" $((n % 90)) $((n % 41)) "${plants[n % 5]}" $((n % 7 + 1))
  done | jq -s '{orders: .}' > orders.json
}

field() {
  jq -r ".orders[$1].$2" orders.json
}

label() {
  printf '%s\n%s\n%s\n  %s x %s\n\n' "$(field "$1" name)" "$(field "$1" street)" "$(field "$1" town)" \
    "$(field "$1" pots)" "$(field "$1" plant)"
}

write_export
until=$(( $(date +%s%N) + 2000000000 ))
n=0
while [ "$n" -lt 800 ] && [ "$(date +%s%N)" -lt "$until" ]; do
  label "$n" >> labels.txt
  n=$((n + 1))
done
echo "$n labels, $(wc -l < labels.txt) lines"
