#!/bin/sh
set -e
mkdir -p site/src
cd site
for n in $(seq 1 60); do echo "export const page$n = $n;" > src/page$n.js; done
git init -q .
git add .
git -c user.name=Kim -c user.email=kim@example.org commit -qm "Pages"
