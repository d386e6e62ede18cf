#!/bin/bash
# Sums up a firewall's log by verdict and service. Only what bash itself can do is used, because it once had to run on
# a router without awk.
declare -A count
declare -i lines=0

field() {                                   # value of NAME= in a line
    local rest=${2#*$1=}
    echo "${rest%% *}"
}

verdict() {
    local rest=${1#*kernel: }
    echo "${rest%% *}"
}

service() {                                 # name of a port
    case $1 in
        22) echo ssh ;;
        53) echo dns ;;
        80|443) echo web ;;
        *) (( $1 < 1024 )) && echo system || echo other ;;
    esac
}

summarize() {
    local line what port
    local end=$(( ${EPOCHREALTIME/./} + 2000000 ))
    while read -r line; do
        what=$(verdict "$line")
        port=$(field DPT "$line")
        count["$what $(field PROTO "$line") $(service "$port")"]+=x
        lines+=1
        (( ${EPOCHREALTIME/./} >= end )) && break
    done
}

summarize < firewall.log
for key in "${!count[@]}"; do printf '%-24s %d\n' "$key" "${#count[$key]}"; done
echo "$lines lines"
