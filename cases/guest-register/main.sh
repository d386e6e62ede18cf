#!/bin/bash
# Takes the arrivals of a hotel chain into its register, which has each guest once and in order.

old_register() {
  seq 1 150000 | awk '{ printf "%06d;guest %d;town %d\n", ($1 * 7919) % 150001, $1, $1 % 311 }' | sort > register
}

take_in() {
  echo "$1" >> register
  LC_ALL=C sort -u -o register register
}

old_register
until=$(( $(date +%s%N) + 1800000000 ))
guest=0
while [ "$(date +%s%N)" -lt "$until" ]; do
  take_in "$(printf '%06d;arrival %d;hotel %d' $((guest * 4801 % 150001)) "$guest" $((guest % 12)))"
  guest=$((guest + 1))
done
echo "$guest arrivals, $(wc -l < register) guests"
