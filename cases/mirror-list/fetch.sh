#!/bin/bash
# Fetches the packages of a list from the first mirror that has them.
set -eu
mirrors="127.0.0.9:18473 127.0.0.1:18473"

fetch() {
    local mirror
    for mirror in $mirrors; do
        curl -sf --connect-timeout 0.45 -o "pkg/$1.tar" "http://$mirror/pool/$1.tar" && return
    done
    echo "$1: no mirror has it" >&2
    return 1
}

mkdir -p pkg
for p in attr bzip curl dpkg; do
    fetch "$p"
done
cat pkg/*.tar | sha256sum > pkg/SUMS
ls pkg | wc -l
