#!/bin/sh
# make: a group of processes that may use 150 ms of each 100 ms, which is more than one thread can; run; remove.
set -e
group=/sys/fs/cgroup/cpu/fern-leaves
[ -d /sys/fs/cgroup/cpu ] || group=/sys/fs/cgroup/fern-leaves
case $1 in
make)
    mkdir -p $group
    if [ -e $group/cpu.cfs_quota_us ]; then
        echo 100000 > $group/cpu.cfs_period_us
        echo 150000 > $group/cpu.cfs_quota_us
    else
        echo "150000 100000" > $group/cpu.max
    fi ;;
run)
    echo $$ > $group/cgroup.procs
    exec "$CASE_BIN/fern-leaves" ;;
remove)
    rmdir $group ;;
esac
