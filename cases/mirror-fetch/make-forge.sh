#!/bin/sh
# Repositories of a forge, and a mirror that knows them as remotes.
set -eu
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
echo 'nameserver 127.0.0.77' > resolv.conf
git init -q --bare mirror.git
for name in bakery mill orchard harbour chapel; do
    git init -q work-$name
    cd work-$name
    for n in 1 2 3; do echo "$name $n" > note$n; git add .; git commit -qm "note $n"; done
    cd ..
    git clone -q --bare work-$name forge/$name.git
    git -C forge/$name.git update-server-info
    git -C mirror.git remote add $name http://forge.lan:18505/$name.git
done
