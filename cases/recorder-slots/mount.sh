#!/bin/sh
# a card as older recorders format it: no extents
set -e
mkdir -p card
truncate -s 160M card.img
mkfs.ext4 -q -F -b 1024 -O ^extent,^has_journal,^64bit card.img
mount -o loop card.img card
