#!/bin/sh
# What somebody does who looks at an unknown project.
set -e
cd project
a=$(date +%s.%N)
git log --stat -p > ../log.txt
b=$(date +%s.%N)
git grep -n -E 'name_(1|7)[0-9]+_[0-9]*5 = [0-9]*77' > ../found.txt
c=$(date +%s.%N)
git repack -q -a -d -f --window=20
d=$(date +%s.%N)
echo "log $(echo "$b - $a" | bc) grep $(echo "$c - $b" | bc) repack $(echo "$d - $c" | bc)" > ../truth
