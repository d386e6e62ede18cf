#!/bin/sh
# Commits the diary, whoever else works with it.
attempts=1
until git -C diary commit -qam "Tuesday" 2> failed.txt; do
    attempts=$((attempts + 1))
    sleep 0.3
done
echo "attempts $attempts" > truth
