#!/bin/bash
# A build in a cell of its own: new mounts, processes and host name, and a writable layer in memory over the image.
set -e
mount --make-rprivate /
mkdir -p cell && mount -t tmpfs -o size=64m cell-tmp cell
mkdir -p cell/up cell/work cell/root
mount -t overlay -o lowerdir=image,upperdir=cell/up,workdir=cell/work cell-overlay cell/root
hostname build-cell
cd cell/root
for i in 1 2 3; do cc -O2 -o game$i game.c; done
./game1 1100000000
