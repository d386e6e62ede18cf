#!/bin/sh
# Delivers the scans of the day to the archive, and keeps the receipts.
set -e
port=$(cat ready)

deliver() {
	curl -sS --noproxy '*' -T "$1" "http://127.0.0.1:$port/scans/"
}

for scan in scan-*.pdf; do
	deliver "$scan" >> receipts.txt
done
echo "delivered $(wc -l < receipts.txt)" > truth
