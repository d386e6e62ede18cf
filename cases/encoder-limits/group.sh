#!/bin/sh
# make, run in, and remove the slice of the encoder: half a CPU.
set -e
group=/sys/fs/cgroup/cpu/n-encoder-slice
[ -d /sys/fs/cgroup/cpu ] || group=/sys/fs/cgroup/n-encoder-slice
case $1 in
make)
    mkdir -p $group
    if [ -e $group/cpu.cfs_quota_us ]; then
        echo 100000 > $group/cpu.cfs_period_us
        echo 50000 > $group/cpu.cfs_quota_us
    else
        echo "50000 100000" > $group/cpu.max
    fi ;;
run)
    echo $$ > $group/cgroup.procs
    exec "$CASE_BIN/encoder-limits" ;;
remove)
    rmdir $group ;;
esac
