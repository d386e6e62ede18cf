#!/bin/bash
# Compares the price list of a supplier with last month's and reports what has changed.
set -u

changes() {
    diff --minimal old.csv new.csv
}

changes > changes.txt
awk -F';' '/^>/ { n++; sum += $3 } END { printf "%d new lines, %.2f EUR\n", n, sum / 100 }' changes.txt
awk -F';' '/^</ { n++ } END { printf "%d old lines\n", n }' changes.txt
