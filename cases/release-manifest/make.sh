#!/bin/sh
# A release as it comes from the build: 120 small files in a few folders.
set -e
mkdir -p tree
for folder in bin lib share doc conf; do
    mkdir tree/$folder
    i=0
    while [ $i -lt 24 ]; do echo "$folder $i: contents of a small file" > tree/$folder/f$i; i=$((i + 1)); done
done
tar cf release.tar tree
