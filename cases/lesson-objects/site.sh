#!/bin/sh
# Builds the pages of the lessons, and again whenever an author has saved something (here: lesson 17).
set -eu
end=$(( $(date +%s%N) + 1900000000 ))
rounds=0
while [ "$(date +%s%N)" -lt "$end" ]; do
    touch subjects/s47/lesson017.txt
    make -s all
    rounds=$(( rounds + 1 ))
done
echo "$rounds builds"
