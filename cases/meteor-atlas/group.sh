#!/bin/sh
# make: a group of processes with 24 MB of memory; run: the program in it; remove: the group.
set -e
group=/sys/fs/cgroup/memory/meteor-atlas-24m
[ -d /sys/fs/cgroup/memory ] || group=/sys/fs/cgroup/meteor-atlas-24m
case $1 in
make)
    mkdir -p $group
    if [ -e $group/memory.limit_in_bytes ]; then
        echo 25165824 > $group/memory.limit_in_bytes
    else
        echo 25165824 > $group/memory.max
    fi ;;
run)
    echo $$ > $group/cgroup.procs
    exec "$CASE_BIN/meteor-atlas" ;;
remove)
    rmdir $group ;;
esac
