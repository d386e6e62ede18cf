#!/bin/bash
# Packs the logs of the last weeks, two at a time, checks the archives, and counts the errors of each day.
set -e

pack() {
	find logs -name '*.log' -print0 | xargs -0 -n 1 -P 2 gzip -6
}

check() {
	find logs -name '*.gz' -print0 | xargs -0 -n 4 -P 2 gzip -t
}

count_errors() {
	zcat logs/*.gz | awk '$3 == "ERROR" { errors[$1]++ } END { for (day in errors) print day, errors[day] }' | sort
}

pack
check
count_errors > errors.txt
echo "days $(wc -l < errors.txt)" > truth
