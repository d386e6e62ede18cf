#!/bin/sh
# A hundred changes of some rates; the seventy-third has a mistake.
set -e
git init -q sums
cd sums
git config user.name Kim
git config user.email kim@example.org
for n in $(seq 1 100); do
    if [ $n -ge 73 ]; then echo "wrong $n"; else echo "right $n"; fi > rates.txt
    git add rates.txt
    git commit -qm "Rates of month $n"
done
git bisect start HEAD HEAD~99 > /dev/null
