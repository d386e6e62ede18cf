#!/bin/sh
# Some albums of small pictures, all different.
set -e
git init -q albums
for album in garden coast winter harvest; do
    mkdir -p albums/$album
    for n in $(seq 1 400); do echo "$album picture $n" > albums/$album/$n.pgm; done
done
