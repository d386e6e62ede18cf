#!/bin/sh
# The gate: writes who came in.
: > gate.txt
: > ready
n=0
while sleep 0.25; do
    n=$((n + 1))
    echo "visitor $n came in" >> gate.txt
done
