#!/bin/sh
# Mirrors the scans of the branches, one branch after the other, until the time slot is over.
slot_ms=$1
now() { date +%s%3N; }
start=$(now)
branch=1
while [ $(($(now) - start)) -lt "$slot_ms" ]; do
    rsync -a --fsync scans/ "mirror-$branch/"
    branch=$((branch + 1))
done
echo "$((branch - 1)) branches mirrored"
