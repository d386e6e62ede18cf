#!/bin/sh
# Builds the project as the build server does it.
set -e

MAKEFLAGS=
export MAKEFLAGS

note() {
	echo "$1 $(date +%s%N)" >> protocol
}

build() {
	make -s all
}

pack() {
	tar -czf checks.tar.gz checks.a list.txt common.h
}

note begin
build
note built
pack
note packed
awk 'NR == 1 { a = $2 } NR == 2 { b = $2 } NR == 3 { print "building", (b - a) / ($2 - a) }' protocol > truth
times > times
awk 'NR == 2 { print "children_user", $1 }' times >> truth
