#!/bin/bash
# Puts the scans of a morning into the inbox; none must replace another one.
file_scan() {
    local number=1
    while [ -e "inbox/scan-$number.pdf" ]; do
        number=$((number + 1))
    done
    echo "page $1" > "inbox/scan-$number.pdf"
}

for page in {1..170}; do
    file_scan "$page"
done
