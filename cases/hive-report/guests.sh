#!/bin/sh
# make: a group of processes that gets 25 ms of each 100 ms; run: the report in it; remove: the group.
set -e
group=/sys/fs/cgroup/cpu/whyslow-case-hives
[ -d /sys/fs/cgroup/cpu ] || group=/sys/fs/cgroup/whyslow-case-hives
case $1 in
make)
    mkdir -p $group
    if [ -e $group/cpu.cfs_quota_us ]; then
        echo 100000 > $group/cpu.cfs_period_us
        echo 25000 > $group/cpu.cfs_quota_us
    else
        echo "25000 100000" > $group/cpu.max
    fi ;;
run)
    echo $$ > $group/cgroup.procs
    exec ruby "$CASE/report.rb" ;;
remove)
    rmdir $group ;;
esac
