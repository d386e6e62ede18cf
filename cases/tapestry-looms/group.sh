#!/bin/sh
# A group of processes that may use a fifth of a CPU: make, run or remove it.
name=tapestry-looms
if [ -d /sys/fs/cgroup/cpu ]; then root=/sys/fs/cgroup/cpu; else root=/sys/fs/cgroup; fi
group=$root/$name
case $1 in
make)
    mkdir -p "$group"
    if [ -e "$group/cpu.max" ]; then
        echo "20000 100000" > "$group/cpu.max"
    else
        echo 100000 > "$group/cpu.cfs_period_us" && echo 20000 > "$group/cpu.cfs_quota_us"
    fi ;;
run)
    echo $$ > "$group/cgroup.procs" || exit 1
    shift
    exec "$@" ;;
remove)
    rmdir "$group" ;;
esac
