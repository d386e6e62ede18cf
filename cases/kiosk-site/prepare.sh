#!/bin/sh
set -e
mkdir -p src home
cp "$CASE/package.json" .
for i in 1 2 3 4 5 6; do printf '# Kiosk %s\n\nOpen from 6 to %s.\n' $i $((i + 12)) > src/kiosk-$i.md; done
echo 'h1 { color: navy }' > src/a.css
echo 'p { margin: 1em }' > src/b.css
