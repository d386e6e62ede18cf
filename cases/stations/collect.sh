#!/bin/bash
# Fetches the description of each station, after the institute's modules are loaded.
load_modules() {
    local m
    for m in "$PWD"/modules/*/lib; do
        LD_LIBRARY_PATH=$m${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    done
    export LD_LIBRARY_PATH
}

load_modules
end=$((SECONDS + 3))
n=0
while ((SECONDS < end)); do
    for page in site/*.txt; do
        curl -s "file://$PWD/$page" >> all.txt
        n=$((n + 1))
        ((SECONDS < end)) || break
    done
done
echo "$n descriptions"
