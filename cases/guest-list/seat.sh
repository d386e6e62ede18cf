#!/bin/bash
# Seats the guests of a wedding: reads who has accepted, and lists the tables.
set -e

guests=()

read_answers() {
	local name answer
	while IFS=, read -r name answer; do
		[ "$answer" = yes ] || continue
		guests=("${guests[@]}" "$name")
		[ $SECONDS -lt 4 ] || break
	done < answers.csv
}

list_tables() {
	local n=0 name
	for name in "${guests[@]}"; do
		echo "table $((n / 8 + 1)): $name"
		n=$((n + 1))
	done
}

read_answers
list_tables > tables.txt
echo "guests ${#guests[@]}" > truth
