#!/bin/bash
# Writes a label for each plant of a nursery, and a trace of the run into trace.log.
exec 9>trace.log
BASH_XTRACEFD=9
PS4='+ $(date +%H:%M:%S.%N) '
set -x

price_of() {
    local pot=$1 age=$2
    price=$(( pot * 3 + age * 2 ))
    if (( age > 5 )); then
        price=$(( price + 4 ))
    fi
}

label() {
    local id=$1
    local pot=$(( id % 9 + 8 )) age=$(( id % 7 + 1 ))
    price_of "$pot" "$age"
    printf 'plant %05d  pot %2d  %d years  %3d EUR\n' "$id" "$pot" "$age" "$price"
}

id=0
SECONDS_END=$(( ${EPOCHREALTIME/./} + 2000000 ))
while (( ${EPOCHREALTIME/./} < SECONDS_END )); do
    label "$id"
    id=$(( id + 1 ))
done > labels.txt
set +x
echo "$id labels"
