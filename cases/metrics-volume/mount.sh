#!/bin/sh
# the volume of a small metrics store
set -e
mkdir -p volume
truncate -s 48M volume.img
mkfs.ext4 -q -F volume.img
mount -o loop volume.img volume
