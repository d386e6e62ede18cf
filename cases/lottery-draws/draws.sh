#!/bin/bash
# How often was each pair of numbers drawn? One pipeline over all draws of many years.
export LC_ALL=C

# The archive keeps a draw per line: year;week;six numbers. Draws of a few small lotteries.
draws() {
    awk 'BEGIN {
        seed = 7
        for (n = 0; n < 55000; n++) {
            line = 1955 + n % 69 ";" n % 52
            for (k = 0; k < 6; k++) {
                seed = (seed * 16807) % 2147483647
                line = line ";" 1 + seed % 49
            }
            print line
        }
    }'
}

pairs() {
    awk -F ';' '{
        for (a = 3; a < 8; a++)
            for (b = a + 1; b <= 8; b++)
                if ($a < $b) print $a, $b; else print $b, $a
    }'
}

count() {
    sort -k1,1n -k2,2n | uniq -c | sort -rn
}

start=${EPOCHREALTIME/./}
draws > draws.csv
archived=${EPOCHREALTIME/./}
pairs < draws.csv | count > pairs.txt
end=${EPOCHREALTIME/./}
head -3 pairs.txt
{
    echo "seconds_archive $(((archived - start) / 1000)) ms"
    echo "seconds_counting $(((end - archived) / 1000)) ms"
    echo "pairs $(wc -l < pairs.txt)"
} | sed 's/ ms$//; s/^seconds/milliseconds/' > truth
