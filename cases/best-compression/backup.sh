#!/bin/sh
# Backs a site up: a list of its files, an archive, a checksum, and an entry in the catalogue.
set -e

LEVEL=-9e

list_files() {
	find site -type f -printf '%p %s\n' | sort > files.txt
}

pack() {
	tar -cf - site | xz $LEVEL -T1 -c > site.tar.xz
}

sign() {
	sha256sum site.tar.xz > site.tar.xz.sha256
}

catalogue() {
	echo "$(wc -l < files.txt) files, $(wc -c < site.tar.xz) bytes" >> catalogue.txt
}

start=$(date +%s%N)
list_files
before=$(date +%s%N)
pack
after=$(date +%s%N)
sign
catalogue
end=$(date +%s%N)
echo "packing $((100 * (after - before) / (end - start))) percent of $(((end - start) / 1000000)) ms" > truth
