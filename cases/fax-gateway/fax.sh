#!/bin/bash
# Sends the order confirmations of a nursery by fax, one after the other, as the line has only one channel.

confirmation() {
    local plant=$1 count=$2
    printf 'Dear customer,\n\nwe shall bring you %d %s on Friday.\n\nYour nursery\n' "$count" "$plant"
}

hand_in() {
    local name=$1
    shift
    confirmation "$@" > "out/$name.new"
    mv "out/$name.new" "out/$name.fax"
}

# Waits for the receipt: await_receipt NAME
await_receipt() {
    local tries=0
    until [ -e "sent/$1.receipt" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 60 ]; then
            echo "no receipt for $1" >&2
            return 1
        fi
        sleep 0.5
    done
    cat "sent/$1.receipt" >> receipts.txt
}

start=${EPOCHREALTIME/./}
number=0
while read -r plant count; do
    number=$((number + 1))
    hand_in "order-$number" "$plant" "$count"
    await_receipt "order-$number"
done <<'ORDERS'
roses 12
tulips 80
ferns 6
lilies 20
asters 35
ORDERS
end=${EPOCHREALTIME/./}
echo "milliseconds $(((end - start) / 1000))" > truth
echo "receipts $(wc -l < receipts.txt)" >> truth
