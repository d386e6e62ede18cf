#!/bin/sh
# Clones the repository of the archive as over the network, and checks the copy.
set -e
export GIT_CONFIG_NOSYSTEM=1 HOME="$PWD"
rm -rf copy
git clone -q --no-local origin.git copy
git -C copy fsck --full --no-progress
git -C copy log --oneline | wc -l
