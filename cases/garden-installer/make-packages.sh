#!/bin/sh
# Fourteen small packages, and a root where 300 manual pages are installed already.
set -eu
mkdir -p pool root/man root/bin
i=0
while [ $i -lt 300 ]; do
    awk -v n=$i 'BEGIN { srand(n); for (l = 0; l < 60; l++) { for (w = 0; w < 9; w++) printf "%c%c%c%c ", 97 + rand() * 26, 97 + rand() * 26, 97 + rand() * 26, 97 + rand() * 26; print "" } }' > root/man/page$i.1
    i=$(( i + 1 ))
done
for p in rake hoe spade seed soil pot hose lamp bench fence gate path pond shed; do
    mkdir -p tmp/$p/man tmp/$p/bin
    echo "$p - a garden tool" > tmp/$p/man/$p.1
    printf '#!/bin/sh\necho %s\n' $p > tmp/$p/bin/$p
    tar -C tmp/$p -czf pool/$p.tgz man bin
done
rm -r tmp
