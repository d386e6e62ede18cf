#!/bin/bash
# Lists the folders of a choir's recordings with their sizes, the largest first, after each concert that is added.
for year in $(seq 2001 2020); do
    mkdir -p recordings/$year
    for song in $(seq 1 250); do echo "la $song" > recordings/$year/song-$song.txt; done
done
for concert in $(seq 1 140); do
    echo "la la $concert" > recordings/2020/concert-$concert.txt
    du --apparent-size -s recordings/* | sort -rn > sizes.txt
done
