#!/bin/sh
# make: two groups of processes, a small and a large share of the CPUs; rival, run: a program in each.
set -e
root=/sys/fs/cgroup/cpu
[ -d $root ] || root=/sys/fs/cgroup
small=$root/whyslow-case-small
large=$root/whyslow-case-large
share() {
    mkdir -p $1
    if [ -e $1/cpu.shares ]; then echo $2 > $1/cpu.shares; else echo $3 > $1/cpu.weight; fi
}
case $1 in
make)
    share $small 150 15
    share $large 1024 100 ;;
rival)
    echo $$ > $large/cgroup.procs
    exec "$CASE_BIN/transcoder" ;;
run)
    echo $$ > $small/cgroup.procs
    exec "$CASE_BIN/small-share" ;;
remove)
    for n in 1 2 3 4 5 6 7 8; do rmdir $small $large 2> /dev/null && exit 0; sleep 0.2; done
    [ ! -d $small ] && [ ! -d $large ] ;;
esac
