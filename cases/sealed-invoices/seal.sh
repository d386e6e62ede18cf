#!/bin/bash
# Seals the invoices of a day with the firm's pass phrase before they are sent.
set -e

ROUNDS=900000

write_invoice() {
	printf 'Invoice %d\n' "$1"
	for line in 1 2 3 4 5; do
		printf '%d x article %d\n' "$line" $((($1 * 37 + line * 101) % 4000))
	done
}

encrypt() {
	openssl enc -aes-256-cbc -pbkdf2 -iter "$ROUNDS" -salt -pass file:phrase -in "$1" -out "$1.sealed"
}

seal() {
	write_invoice "$1" > "invoice-$1.txt"
	encrypt "invoice-$1.txt"
	rm "invoice-$1.txt"
}

echo "correct horse battery staple" > phrase
sealed=0
while [ "$SECONDS" -lt 3 ] && [ "$sealed" -lt 6 ]; do
	seal "$sealed"
	sealed=$((sealed + 1))
done
sha256sum invoice-*.sealed > sums
times > times
awk 'NR == 2 { print "children_user", $1 }' times >> truth
echo "sealed $sealed" >> truth
