#!/bin/bash
# Collects the scanned letters of the customers who called today, from the folder all scans go to.
set -e

END=$((SECONDS + 3))
found=0
missing=0
patterns=0

customers() {
	local n
	for ((n = 0; n < 400; n++)); do
		echo $((n * 7919 % 5000))
	done
}

letters_of() {
	local files=(scans/*-customer-"$1"-*.tif)
	patterns=$((patterns + 1))
	LETTERS=("${files[@]}")
}

note() {
	local letter
	for letter in "${LETTERS[@]}"; do
		if [ -e "$letter" ]; then
			echo "$1 $letter" >> list.txt
			found=$((found + 1))
		else
			missing=$((missing + 1))
		fi
	done
}

while read -r customer; do
	letters_of "$customer"
	note "$customer"
	[ "$SECONDS" -lt "$END" ] || break
done < <(customers)
echo "patterns $patterns" > truth
echo "found $found, missing $missing" >> truth
