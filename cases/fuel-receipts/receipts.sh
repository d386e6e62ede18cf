#!/bin/bash
# Adds up the fuel receipts of a haulier by lorry.

write_receipts() {
    local day lorry
    for day in {1..30}; do
        for lorry in north south harbour; do
            echo "2024-06-$day;$lorry;$((40 + day * 7 % 60)).5;1.$((60 + day % 30))"
        done
    done
}

declare -A litres cost

# litres times price, to the cent
price_of() {
    awk -v l="$1" -v p="$2" 'BEGIN { printf "%.2f", l * p }'
}

plus() {
    echo "$1 + $2" | awk '{ printf "%.2f", $1 + $3 }'
}

enter_receipt() {
    local day lorry amount price total
    IFS=';' read -r day lorry amount price <<< "$1"
    total=$(price_of "$amount" "$price")
    litres[$lorry]=$(plus "${litres[$lorry]:-0}" "$amount")
    cost[$lorry]=$(plus "${cost[$lorry]:-0}" "$total")
}

report() {
    local lorry
    for lorry in "${!litres[@]}"; do
        printf '%-10s %10.2f l %10.2f EUR\n' "$lorry" "${litres[$lorry]}" "${cost[$lorry]}"
    done | sort
}

write_receipts > receipts.csv
SECONDS=0
start=${EPOCHREALTIME/./}
entered=0
while (( ${EPOCHREALTIME/./} - start < 2200000 )); do
    litres=() cost=()
    while read -r line; do
        enter_receipt "$line"
        entered=$((entered + 1))
        (( ${EPOCHREALTIME/./} - start < 2200000 )) || break
    done < receipts.csv
done
report > report.txt
echo "receipts $entered" > truth
