#!/bin/sh
# Cleans the shop's database: archives old baskets, corrects the stock, writes a protocol.
set -e

protocol() {
	echo "$1: $(wc -c < shop.db) bytes" >> protocol.txt
}

old_baskets() {
	sqlite3 -readonly shop.db "select count(*), sum(amount) from baskets where day < 40;" >> protocol.txt
}

correct_stock() {
	sqlite3 -cmd ".timeout 6000" shop.db "update stock set amount = amount - 1 where article % 97 = 3;"
}

compare() {
	seq 1 60000 | awk '{ s += $1 * 7919 % 101 } END { print s }' >> protocol.txt
}

protocol begin
old_baskets
compare
: > cleanup-started
while [ ! -e report-begun ]; do sleep 0.01; done
before=$(date +%s%N)
correct_stock
after=$(date +%s%N)
compare
protocol end
echo "correct_stock_ms $(((after - before) / 1000000))" > truth
