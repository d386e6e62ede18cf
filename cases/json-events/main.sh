#!/bin/bash
# Adds up the events of a shop by their kind; they come as one line of JSON each.

make_events() {
    awk 'BEGIN { for (i = 0; i < 90; i++) printf "{\"kind\": \"%s\", \"cents\": %d}\n", i % 3 ? "sale" : "refund", i * 37 % 900 }'
}

field() {
    ruby -rjson -e 'puts JSON.parse(ARGV[0])[ARGV[1]]' "$1" "$2"
}

count_event() {
    local kind cents
    kind=$(field "$1" kind)
    cents=$(field "$1" cents)
    if [ "$kind" = sale ]; then
        sales=$((sales + cents))
    else
        refunds=$((refunds + cents))
    fi
    events=$((events + 1))
}

sales=0 refunds=0 events=0
make_events > events.jsonl
end=$(( ${EPOCHREALTIME/./} + 2000000 ))
while read -r event; do
    count_event "$event"
    (( ${EPOCHREALTIME/./} > end )) && break
done < events.jsonl
echo "$events events: $sales sold, $refunds refunded"
