#!/bin/sh
# make: a group of processes that gets 40 ms of each 100 ms; run: a build in it; remove: the group.
set -e
group=/sys/fs/cgroup/cpu/whyslow-case-slice
[ -d /sys/fs/cgroup/cpu ] || group=/sys/fs/cgroup/whyslow-case-slice
case $1 in
make)
    mkdir -p $group
    if [ -e $group/cpu.cfs_quota_us ]; then
        echo 100000 > $group/cpu.cfs_period_us
        echo 40000 > $group/cpu.cfs_quota_us
    else
        echo "40000 100000" > $group/cpu.max
    fi
    for n in 1 2 3 4 5 6 7 8; do
        awk -v n=$n 'BEGIN {
            print "#include <stdio.h>"
            for (f = 0; f < 26; f++)
                printf "int part%d_%d(int a) { int s = 0; for (int i = 0; i < a; i++) s += i * %d ^ (s >> %d); return s; }\n", n, f, f + 3, f % 7
        }' > part$n.c
    done ;;
run)
    echo $$ > $group/cgroup.procs
    make -s -j2 -f "$CASE/parts.mk"
    grep -h 'nr_' $group/cpu.stat > truth ;;
remove)
    rmdir $group ;;
esac
