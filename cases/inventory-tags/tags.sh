#!/bin/bash
# Writes the tag file of each node of a rack, from the inventory of the whole centre.
set -eu

inventory=inventory.json
deadline=$(( $(date +%s%N) + 2000000000 ))

field() { # field NODE FILTER
    jq -r --arg node "$1" ".hosts[] | select(.name == \$node) | $2" "$inventory"
}

write_tags() {
    local node=$1
    {
        echo "rack=$(field "$node" .rack)"
        echo "stage=$(field "$node" .labels.stage)"
        echo "address=$(field "$node" '.interfaces[0].ip')"
    } > "tags/$node"
}

mkdir -p tags
n=0
while [ "$(date +%s%N)" -lt "$deadline" ]; do
    write_tags "node$(printf %04d $(( n * 60 )))"
    n=$(( n + 1 ))
done
echo "$n nodes tagged"
