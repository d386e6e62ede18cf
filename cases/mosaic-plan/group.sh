#!/bin/sh
# make: a group of processes that gets 30 ms of each 100 ms; run: the program in it; remove: the group.
set -e
group=/sys/fs/cgroup/cpu/mosaic-workshop
[ -d /sys/fs/cgroup/cpu ] || group=/sys/fs/cgroup/mosaic-workshop
case $1 in
make)
    mkdir -p $group
    if [ -e $group/cpu.cfs_quota_us ]; then
        echo 100000 > $group/cpu.cfs_period_us
        echo 30000 > $group/cpu.cfs_quota_us
    else
        echo "30000 100000" > $group/cpu.max
    fi ;;
run)
    echo $$ > $group/cgroup.procs
    exec node "$CASE/plan.js" ;;
remove)
    rmdir $group ;;
esac
