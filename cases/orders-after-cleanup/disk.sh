#!/bin/sh
# make: a small file system without a journal, from which 30,000 files were just deleted; remove: that file system.
set -e
case $1 in
make)
    truncate -s 512M disk.img
    mkfs.ext4 -q -b 4096 -O ^has_journal -E nodiscard,lazy_itable_init=0 -N 120000 disk.img
    mkdir disk
    mount -o loop disk.img disk
    mkdir disk/orders
    seq -f 'disk/orders/old-%.0f' 30000 | xargs touch
    seq -f 'disk/orders/old-%.0f' 30000 | xargs rm ;;
remove)
    umount disk ;;
esac
