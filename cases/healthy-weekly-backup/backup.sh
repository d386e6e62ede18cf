#!/bin/bash
# Weekly backup: a snapshot of hard links, what has changed since as an archive, and check sums.
set -e
rm -rf snapshot week.tar.gz
cp -al office snapshot
find office -type f -newer last-run -print0 | tar -cz --null -T - -f week.tar.gz
find office -type f -print0 | sort -z | xargs -0 sha256sum > SUMS
sha256sum --quiet -c SUMS
tar -tzf week.tar.gz | wc -l
