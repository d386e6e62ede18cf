#!/bin/sh
# Compiles four units with all folders on the path; then one with the few that are needed, to compare.
set -e
start=$(date +%s.%N)
for unit in unit0 unit1 unit2 unit3; do
    cc @flags -c $unit.c -o $unit.o
done
end=$(date +%s.%N)
cc @flags.short -c unit0.c -o short.o
echo "all_folders $(echo "($end - $start) / 4" | bc -l | cut -c1-6) per unit" > truth
echo "needed_folders $(echo "$(date +%s.%N) - $end" | bc -l | cut -c1-6)" >> truth
