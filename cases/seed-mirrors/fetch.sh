#!/bin/bash
# Fetches the packages of a release from the first mirror that has them, and checks them.
mapfile -t mirrors < mirrors.txt

fetch() {
    local mirror
    for mirror in "${mirrors[@]}"; do
        curl -sf --max-time 0.6 -o "got/$1" "$mirror/$1" && return 0
    done
    return 1
}

mkdir -p got
for package in carrots leeks beans; do
    fetch $package.tar || exit 1
done
(cd got && sha256sum --quiet -c ../packages/SUMS) && echo "all packages are good"
