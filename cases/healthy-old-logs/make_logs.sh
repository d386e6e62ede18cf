#!/bin/sh
set -e
mkdir -p logs
cd logs
seq 1 1500 | sed 's/.*/host-&.log/' | xargs touch
for host in 3 250 777 1400; do
    seq $host $((host + 200000)) | awk '{ print $1 * 7919 % 99991, "login", $1 % 613 }' > host-$host.log
    touch -d '2020-05-05' host-$host.log
done
