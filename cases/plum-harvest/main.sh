#!/bin/bash
# Presses the crates of a plum harvest in an account that may only have a few processes.
set -u

press_crate() {
    local crate=$1 juice=0 stone
    for stone in {1..400}; do
        juice=$(( (juice + stone * crate) % 9973 ))
    done
    echo "crate $crate: $juice" > "juice-$crate"
}

join_juice() {
    local line
    for crate in {1..3}; do
        read -r line < "juice-$crate" && echo "$line"
    done > juice
}

ulimit -u "$1"
: > harvest-begins
for crate in {1..3}; do
    press_crate "$crate" &
    wait $!
done
join_juice
