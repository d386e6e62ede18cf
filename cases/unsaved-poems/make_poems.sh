#!/bin/sh
set -e
git init -q poems
cd poems
git config user.name Kim
git config user.email kim@example.org
for year in 1 2 3 4 5 6 7 8; do
    mkdir year$year
    for n in $(seq 1 250); do echo "Poem $n of year $year" > year$year/$n.txt; done
done
git add .
git commit -qm "All poems"
echo "and a last line" >> year3/17.txt
