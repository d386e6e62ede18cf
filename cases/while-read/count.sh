#!/bin/bash
# Counts the answers of a web server by status.
declare -A count

count_statuses() {
    local day host rest
    while read -r day host rest; do
        status=${rest##* }
        count[$status]=$((${count[$status]:-0} + 1))
    done < <(cat access.log)
}

start=$EPOCHREALTIME
count_statuses
end=$EPOCHREALTIME
cat access.log | awk '{ count[$NF]++ } END { for (s in count) print s, count[s] }' > by_awk
{
    echo "loop_s $(echo "$end - $start" | bc)"
    echo "awk_s $(echo "$EPOCHREALTIME - $end" | bc)"
    echo "good ${count[200]}"
    echo "missing ${count[404]}"
} > truth
