#!/bin/sh
# Copies the takes of the day to the backup disk.
set -e
takes=${1:-takes}
target=${2:-/mnt/backup}
mkdir -p "$target"
rsync -a --bwlimit=12M "$takes/" "$target/"
(cd "$target" && ls -R | wc -l)
