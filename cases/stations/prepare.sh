#!/bin/sh
# The modules of an institute: each has a folder for libraries of its own.
set -e
mkdir -p site
i=1
while [ $i -le 420 ]; do mkdir -p modules/tool-$i/lib; echo x > modules/tool-$i/lib/libtool$i.so.1; i=$((i + 1)); done
i=1
while [ $i -le 60 ]; do echo "station $i height $((i * 13 % 400))" > site/$i.txt; i=$((i + 1)); done
