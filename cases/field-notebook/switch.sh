#!/bin/sh
# Shows the sheets of both seasons, one after the other.
export GIT_CONFIG_NOSYSTEM=1 HOME="$PWD" OBSERVER=Ilse
cd notes || exit 1
end=$(($(date +%s) + 3))
season=winter
while [ "$(date +%s)" -lt $end ]; do
    git checkout -q $season || exit 1
    cat sheets/*.txt | awk '{ n += $NF } END { print n, "birds" }'
    [ $season = winter ] && season=main || season=winter
done
