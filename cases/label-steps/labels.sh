#!/bin/bash
# Makes the labels of some orders; each goes through four steps.
set -eu
export GOCACHE=$PWD/cache GOFLAGS=-mod=mod GO111MODULE=on GOTOOLCHAIN=local HOME=$PWD
end=$(( $(date +%s%N) + 1700000000 ))
cd steps
order=0
while [ "$(date +%s%N)" -lt "$end" ]; do
    order=$(( order + 1 ))
    line="  order   $order  to  Mill   Lane $order "
    for step in trim number wrap border; do
        line=$(go run "./$step" <<< "$line")
    done
    echo "$line" >> ../labels.txt
done
tail -n 1 ../labels.txt
