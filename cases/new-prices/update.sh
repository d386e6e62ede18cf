#!/bin/bash
# Enters the prices that a supplier has sent into the list of the shop.
set -e

enter() {
	local article=$1 price=$2
	sed -i "s/^$article;[^;]*;/$article;$price;/" prices.csv
}

entered=0
while IFS=';' read -r article price; do
	enter "$article" "$price"
	entered=$((entered + 1))
	[ $SECONDS -lt 3 ] || break
done < supplier.csv
echo "entered $entered" > truth
