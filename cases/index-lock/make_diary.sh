#!/bin/sh
set -e
git init -q diary
cd diary
git config user.name Kim
git config user.email kim@example.org
echo "Monday: rain" > week.txt
git add .
git commit -qm "Monday"
echo "Tuesday: sun" >> week.txt
