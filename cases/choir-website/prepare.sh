#!/bin/sh
set -e
export GIT_CONFIG_NOSYSTEM=1 HOME="$PWD"
git init -q --bare -b main live.git
cp "$CASE/post-receive" live.git/hooks/post-receive
chmod +x live.git/hooks/post-receive
git init -q -b main work
cd work
git config user.name choir; git config user.email choir@localhost
for i in 1 2 3 4 5 6 7 8; do echo "concert $i" > concert-$i.md; done
git add . && git commit -qm 'programme'
git remote add live ../live.git
