#!/bin/sh
# Compiles the project by one call of the compiler, and packs the classes.
set -e

mkdir -p classes
find src -name '*.java' | sort > sources.txt
javac -proc:none -d classes @sources.txt
tar -czf shop.tar.gz classes
echo "classes $(find classes -name '*.class' | wc -l)" > truth
times > times
awk 'NR == 2 { print "children", $1, $2 }' times >> truth
