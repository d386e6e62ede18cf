#!/bin/sh
set -e
umount staging 2>/dev/null || true
mkdir -p dumps staging
mount -t tmpfs -o size=7m tape-staging staging
for i in 1 2 3 4 5 6 7; do head -c 3000000 /dev/urandom > dumps/night-$i.dump; done
