#!/bin/sh
# Streams the seeds into their sums, both at the same time.
perl "$CASE/seeds.pl" | mawk -f "$CASE/sum.awk" > sums
