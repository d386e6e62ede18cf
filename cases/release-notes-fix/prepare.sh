#!/bin/sh
# A small history.
git init -q book && cd book || exit 1
git config user.email clerk@example.org
git config user.name Clerk
i=1
while [ $i -le 70 ]; do
    cat <<X
commit refs/heads/main
committer Clerk <clerk@example.org> $((1700000000 + i * 1000)) +0000
data <<M
Chapter $i, see TICKT-$i
M
M 644 inline chapter-$((i % 9)).txt
data <<M
text $i
M

X
    i=$((i + 1))
done | git fast-import --quiet
git symbolic-ref HEAD refs/heads/main
git reset -q --hard
