#!/bin/sh
# A workspace of seven packages. Each has links to all others, as package managers make them.
packages="anchor buoy chart deck engine ferry galley"
for package in $packages; do
    mkdir -p "work/$package/deps"
    for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
        seq 1 40 | sed "s/^/$package part $n line /" > "work/$package/part-$n.js"
    done
    for other in $packages; do
        [ "$other" = "$package" ] || ln -s "../../$other" "work/$package/deps/$other"
    done
done
