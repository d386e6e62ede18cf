#!/bin/bash
# Reports about yesterday's log.
set -e
step() {
    local before=$EPOCHREALTIME
    "$@"
    echo "$1 $(echo "$EPOCHREALTIME - $before" | bc)" >> truth
}
errors_by_host() {
    grep ' 500 ' access.log | cut -d' ' -f2 | sort | uniq -c | sort -rn > errors_by_host.txt
}
bytes_by_day() {
    awk '{ bytes[$1] += $4; hits[$1]++ } END { for (day in bytes) print day, hits[day], bytes[day] }' access.log > by_day.txt
}
slowest() {
    LC_ALL=C sort -k4,4nr access.log > sorted.txt
    head -n 100 sorted.txt > slowest.txt
}
archive() {
    gzip -6 -c access.log > access.log.gz
    sha256sum access.log.gz > access.log.gz.sha256
}
step errors_by_host
step bytes_by_day
step slowest
step archive
