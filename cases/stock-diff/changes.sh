#!/bin/sh
# Lists what has changed in the stock since yesterday, shelf by shelf.
end=$(( $(date +%s%N) + 1800000000 ))
for shelf in 0 1 2 3 4 5 6 7; do
    [ "$(date +%s%N)" -lt "$end" ] || break
    diff "yesterday-$shelf.csv" "today-$shelf.csv" > "changes-$shelf"
    wc -l < "changes-$shelf"
done
