#!/bin/sh
# make: a group of processes that may read 16 MB/s, and a file; run: the program in it; remove: the group.
set -e
group=/sys/fs/cgroup/blkio/whyslow-case-disk
[ -d /sys/fs/cgroup/blkio ] || group=/sys/fs/cgroup/whyslow-case-disk
case $1 in
make)
    mkdir -p $group
    device=$(($(stat -c %d .) / 256)):$(($(stat -c %d .) % 256))
    if [ -e $group/blkio.throttle.read_bps_device ]; then
        echo "$device 16000000" > $group/blkio.throttle.read_bps_device
    else
        echo "$device rbps=16000000" > $group/io.max
    fi
    # The second line drops what the first left in the cache.
    dd if=/dev/urandom of=archive.dat bs=1M count=32 conv=fsync status=none
    dd if=archive.dat iflag=nocache count=0 status=none ;;
run)
    echo $$ > $group/cgroup.procs
    exec "$CASE_BIN/throttled-disk" ;;
remove)
    rmdir $group ;;
esac
