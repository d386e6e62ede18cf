#!/bin/sh
# make: a small disk of its own, with a register and photos; remove: the disk.
set -e
remove() {
    umount disk 2>/dev/null || umount -l disk 2>/dev/null || true
    for device in $(losetup -n -O NAME -j disk.img 2>/dev/null); do losetup -d "$device"; done
    rm -f disk.img
}
remove
[ "$1" = make ] || exit 0
mkdir -p disk
truncate -s 420M disk.img
dd if=/dev/zero of=disk.img bs=1M count=420 conv=notrunc status=none
mkfs.ext4 -q -F -O ^has_journal disk.img
mount -o loop disk.img disk
dd if=/dev/urandom of=disk/cards.dat bs=1M count=64 conv=fsync status=none
dd if=/dev/zero of=disk/photos.tar bs=1M count=256 conv=fsync status=none
