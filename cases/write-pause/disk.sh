#!/bin/sh
# make: a file system for which little unwritten data may wait in memory; remove: that file system.
set -e
case $1 in
make)
    truncate -s 600M disk.img
    mkfs.ext4 -q disk.img
    mkdir disk
    mount -o loop disk.img disk
    device=$(stat -c %d disk)
    bdi=/sys/class/bdi/$((device / 256)):$((device % 256))
    echo 1 > "$bdi/strict_limit"
    echo 8388608 > "$bdi/max_bytes" ;;
remove)
    umount disk ;;
esac
