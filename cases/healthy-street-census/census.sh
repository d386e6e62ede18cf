#!/bin/sh
# Counts the people of each street from the cards of a census, and prints the twenty largest.
awk 'BEGIN { for (n = 0; n < 1600000; n++) printf "%d;street %d;%d\n", n, (n * 7919 + int(n / 13)) % 4001, n % 6 + 1 }' > cards.csv
cut -d ';' -f 2,3 cards.csv | sort -S 64M | awk -F ';' '{ people[$1] += $2 } END { for (street in people) print people[street], street }' \
    | sort -rn | head -n 20 > largest.txt
