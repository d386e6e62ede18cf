#!/bin/sh
# make: a group of processes that gets a quarter of a CPU; run: the program in it; remove: the group.
set -e
group=/sys/fs/cgroup/cpu/whyslow-case-service
[ -d /sys/fs/cgroup/cpu ] || group=/sys/fs/cgroup/whyslow-case-service
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
    exec java -XX:+UseSerialGC -cp "$CASE_BIN" Main ;;
stat)
    cat $group/cpu.stat ;;
remove)
    rmdir $group ;;
esac
