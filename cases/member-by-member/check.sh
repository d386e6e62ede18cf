#!/bin/sh
# Checks the yesterday's logs of all machines, which are kept in one compressed archive.
set -e

ARCHIVE=logs.tar.gz

members() {
	cat members.txt
}

log_of() {
	tar -xzOf "$ARCHIVE" "$1"
}

errors_of() {
	log_of "$1" | grep -c "level=error" || true
}

judge() {
	if [ "$2" -gt 20 ]; then
		echo "$1: $2 errors, look at it" >> report.txt
	else
		echo "$1: fine" >> report.txt
	fi
}

checked=0
for member in $(members); do
	judge "$member" "$(errors_of "$member")"
	checked=$((checked + 1))
done
sort -o report.txt report.txt
echo "checked $checked" > truth
times > times
awk 'NR == 2 { print "children", $1, $2 }' times >> truth
