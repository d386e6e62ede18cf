#!/bin/bash
# The office's network: loopback only, a name server and the warehouses' servers on it.
mount --make-rprivate /
ip link set lo up
printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' > resolv.conf
mount --bind resolv.conf /etc/resolv.conf
"$1" "$CASE/office.py" &
office=$!
while [ ! -e served ]; do sleep 0.01; done
bash "$CASE/fetch.sh"
kill $office
