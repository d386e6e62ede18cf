#!/bin/sh
# Makes a repository of field notes, whose files carry the name of the observer in the working tree.
set -e
export GIT_CONFIG_NOSYSTEM=1 HOME="$PWD"
git init -q -b main notes
cd notes
git config user.name keeper; git config user.email keeper@localhost
git config gc.auto 0
mkdir sheets
i=1
while [ $i -le 24 ]; do
    echo "sheet $i observer @OBSERVER@ count $((i * 7 % 31))" > sheets/sheet-$i.txt
    i=$((i + 1))
done
echo 'sheets/*.txt filter=observer' > .gitattributes
git add . && git commit -qm 'autumn'
git checkout -q -b winter
for f in sheets/*.txt; do echo "snow" >> "$f"; done
git commit -qam 'winter'
git checkout -q main
git config filter.observer.smudge "perl $CASE/fill-in.pl smudge"
git config filter.observer.clean "perl $CASE/fill-in.pl clean"
