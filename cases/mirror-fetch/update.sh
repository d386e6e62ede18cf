#!/bin/sh
# Brings a mirror up to date, remote by remote (with its own resolver settings).
set -eu
mount --bind resolv.conf /etc/resolv.conf
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
cd mirror.git
for remote in $(git remote); do
    git fetch -q "$remote" "+refs/heads/*:refs/remotes/$remote/*"
done
git for-each-ref refs/remotes | wc -l
