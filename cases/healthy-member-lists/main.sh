#!/bin/bash
# Joins the list of a club's members with the list of its payments: each list is sorted once, and each step is one program
# that works on the whole list.
set -eu
export LC_ALL=C

join_lists() {
    sort -t';' -k1,1 members.csv > members.sorted
    sort -t';' -k1,1 payments.csv > payments.sorted
    join -t';' members.sorted payments.sorted > joined.csv
}

sum_payments() {
    awk -F';' '{ sum[$1 ";" $2 ";" $3] += $5 } END { for (member in sum) print member ";" sum[member] }' joined.csv | sort > sums.csv
}

list_debtors() {
    cut -d';' -f1 sums.csv | sort -u > payers.txt
    cut -d';' -f1 members.sorted | sort -u | comm -23 - payers.txt > debtors.txt
}

start=${EPOCHREALTIME/./}
join_lists
joined=${EPOCHREALTIME/./}
sum_payments
summed=${EPOCHREALTIME/./}
list_debtors
end=${EPOCHREALTIME/./}
printf 'joining_ms %d\nsumming_ms %d\ndebtors_ms %d\npayers %d\ndebtors %d\n' $(((joined - start) / 1000)) \
    $(((summed - joined) / 1000)) $(((end - summed) / 1000)) "$(wc -l < payers.txt)" "$(wc -l < debtors.txt)" > truth
