#!/bin/sh
# The job: counts the lines of today's log by their level.
start=$(date +%s.%N)
seq 1 20000 | sed 's/\(.*\)[05]$/warning \1/; t; s/^/info /' > today.log
cut -d' ' -f1 today.log | sort | uniq -c > levels
echo "start $start end $(date +%s.%N)" > truth
