#!/bin/sh
# Writes how many cars are on each level; a level whose counter is in use is left out.
left_out=0
for level in 1 2 3; do
    if ! flock -w 0.7 counter.lock sh -c "echo level $level >> cars.txt"; then
        left_out=$((left_out + 1))
    fi
done
echo "left_out $left_out" > truth
