#!/bin/bash
# Takes the orders of a table from the waiter at the terminal.
declare -A order
while read -r -p "dish (or done): " dish; do
    [ "$dish" = done ] && break
    order[$dish]=$((${order[$dish]:-0} + 1))
    echo "noted: $dish"
done
for dish in "${!order[@]}"; do echo "${order[$dish]} x $dish"; done
