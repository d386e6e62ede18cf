#!/bin/sh
# make: a group of processes with limits that are large enough; run: the program in it; remove: the group.
set -e
cpu=/sys/fs/cgroup/cpu/whyslow-case-roomy memory=/sys/fs/cgroup/memory/whyslow-case-roomy
[ -d /sys/fs/cgroup/cpu ] || cpu=/sys/fs/cgroup/whyslow-case-roomy memory=/sys/fs/cgroup/whyslow-case-roomy
case $1 in
make)
    mkdir -p $cpu $memory
    if [ -e $cpu/cpu.cfs_quota_us ]; then
        echo 100000 > $cpu/cpu.cfs_period_us
        echo 150000 > $cpu/cpu.cfs_quota_us
        echo 512M > $memory/memory.limit_in_bytes
    else
        echo "150000 100000" > $cpu/cpu.max
        echo 512M > $memory/memory.max
    fi ;;
run)
    echo $$ > $cpu/cgroup.procs
    echo $$ > $memory/cgroup.procs
    "$2" "$CASE/main.py"
    grep nr_throttled $cpu/cpu.stat >> truth ;;
remove)
    rmdir $cpu
    [ $memory = $cpu ] || rmdir $memory ;;
esac
