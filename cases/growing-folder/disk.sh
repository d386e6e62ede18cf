#!/bin/sh
# make: a small file system whose folders have no index; remove: that file system.
set -e
case $1 in
make)
    truncate -s 256M disk.img
    mkfs.ext4 -q -O ^dir_index -E nodiscard,lazy_itable_init=0 -N 120000 disk.img
    mkdir disk
    mount -o loop disk.img disk
    mkdir disk/scans ;;
remove)
    umount disk ;;
esac
