#!/bin/bash
# Puts the receipts of a year into one archive, and notes each in the list.
set -e
cd receipts

put() {
	tar -rf ../receipts.tar "$1"
	echo "$1" >> ../list.txt
}

put_all=0
for receipt in *.txt; do
	put "$receipt"
	put_all=$((put_all + 1))
	[ $SECONDS -lt 3 ] || break
done
echo "receipts $put_all" > ../truth
