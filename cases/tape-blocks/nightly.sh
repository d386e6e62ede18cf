#!/bin/sh
# Writes the recordings of the week into one archive per night, in the block size of the old tape drive.
# Only the last archive is kept here.
set -e
BLOCKS=1
for night in mon tue wed thu fri sat; do
    tar -c -b $BLOCKS -f "week-$night.tar" recordings
    rm -f last-night.tar
    ln "week-$night.tar" last-night.tar
    rm "week-$night.tar"
done
ls -l last-night.tar
