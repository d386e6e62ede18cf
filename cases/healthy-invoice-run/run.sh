#!/bin/bash
# Writes the invoices of a month: few programs, each of which does much.
set -euo pipefail

sort_positions() {
    sort -t';' -k1,1n -k3,3 positions.csv > sorted.csv
}

write_invoices() {
    awk -F';' '
        function finish() {
            if (customer != "") {
                printf "Total %38.2f\nTax %40.2f\n\n", total, total * 0.19
                sum += total
            }
        }
        $1 != customer { finish(); customer = $1; total = 0; print "Invoice for customer " customer }
        { printf "%-30s %4d x %8.2f\n", $3, $4, $5; total += $4 * $5 }
        END { finish(); printf "all %.2f\n", sum > "sum.txt" }' sorted.csv > invoices.txt
}

best_articles() {
    cut -d';' -f3 positions.csv | sort | uniq -c | sort -rn | head -20 > best.txt
}

pack_invoices() {
    gzip -6 -c invoices.txt > invoices.txt.gz
    sha256sum invoices.txt.gz > invoices.sum
}

now() { date +%s.%N; }

start=$(now)
sort_positions
sorted=$(now)
write_invoices
written=$(now)
best_articles
counted=$(now)
pack_invoices
end=$(now)
echo "$start $sorted $written $counted $end" |
    awk '{ all = $5 - $1; printf "sort %.2f\nwrite %.2f\ncount %.2f\npack %.2f\n", ($2 - $1) / all, ($3 - $2) / all, ($4 - $3) / all, ($5 - $4) / all }' > truth
