#!/bin/bash
# Which books of the branch are not in the main library's list yet? Writes the order of the night.
declare -a known missing

load() {
    mapfile -t known < main-library.txt
}

contains() {
    local wanted=$1 item
    for item in "${known[@]}"; do
        [[ $item == "$wanted" ]] && return 0
    done
    return 1
}

t0=$EPOCHREALTIME
load
end=$((SECONDS + 3))
while read -r book; do
    if ! contains "$book"; then
        missing+=("$book")
    fi
    ((SECONDS < end)) || break
done < branch.txt
printf '%s\n' "${missing[@]}" | sort -u > order.txt
wc -l < order.txt
