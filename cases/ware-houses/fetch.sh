#!/bin/bash
# Runs in a namespace of its own with its own name server: asks each warehouse for its stock and adds it up.
set -e
hosts="north"

ask() {
    curl -s --max-time 5 "http://$1.stock.example:8095/stock"
}

t0=$EPOCHREALTIME
total=0
for host in $hosts; do
    n=$(ask $host)
    echo "$host $n"
    total=$((total + n))
done
echo "total $total"
awk "BEGIN { printf \"asking %.3f\n\", $EPOCHREALTIME - $t0 }"
