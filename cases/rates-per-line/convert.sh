#!/bin/sh
# Converts the bookings of a month into euros, and adds them up per account.
set -e

bookings() {
	seq 1 200000 | awk '{ print "account-" $1 % 300 "," $1 * 7919 % 10000 ",C" $1 * 31 % 800 }'
}

convert() {
	awk -F, -v end="$(($(date +%s) + 3))" '
		function rate_of(currency,    line, part, rate) {
			rate = 0
			while ((getline line < "rates.csv") > 0) {
				split(line, part, ",")
				if (part[1] == currency)
					rate = part[2]
			}
			close("rates.csv")
			return rate
		}
		function in_euros(amount, currency) {
			converted++
			return amount / rate_of(currency)
		}
		{ print $1 "," in_euros($2, $3) }
		converted >= 12000 { exit }
	'
}

sums() {
	awk -F, '{ sum[$1] += $2 } END { for (a in sum) print a, sum[a] }' | sort
}

bookings > bookings.csv
head -12000 bookings.csv | convert > euros.csv
sums < euros.csv > sums.txt
echo "converted $(wc -l < euros.csv)" > truth
