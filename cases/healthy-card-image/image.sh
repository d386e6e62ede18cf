#!/bin/bash
# Makes the image of a memory card: a file system from a folder, packed for download, and checked.
set -e
truncate -s 64M card.img
mkfs.ext4 -q -F -d content card.img
e2fsck -fn card.img > check.txt 2>&1
xz -2 -T2 -k -f card.img
xz -t card.img.xz
ls -l card.img.xz
