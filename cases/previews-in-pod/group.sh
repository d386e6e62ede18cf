#!/bin/sh
# make: a group of processes that gets 40 ms of CPU time in each 100 ms; run: the program in it; remove: the group.
set -e
group=/sys/fs/cgroup/cpu/whyslow-case-pod
[ -d /sys/fs/cgroup/cpu ] || group=/sys/fs/cgroup/whyslow-case-pod
case $1 in
make)
    mkdir -p $group
    if [ -e $group/cpu.cfs_quota_us ]; then
        echo 100000 > $group/cpu.cfs_period_us
        echo 40000 > $group/cpu.cfs_quota_us
    else
        echo "40000 100000" > $group/cpu.max
    fi ;;
run)
    echo $$ > $group/cgroup.procs
    exec "$CASE_BIN/previews-in-pod" ;;
remove)
    rmdir $group ;;
esac
