#!/bin/sh
# The scans of one branch, as they come from its machine.
mkdir scans
i=0
while [ $i -lt 420 ]; do
    mkdir -p scans/$((i / 100))
    head -c $((2000 + i * 7 % 4000)) /dev/urandom > scans/$((i / 100))/scan-$i.tif
    i=$((i + 1))
done
sync -f scans
