#!/bin/sh
# Writes the manifest of a release, straight from its archive, so that nothing has to be unpacked: tar gives each
# member to a command.
set -e
archive=$1
manifest() {
    tar xf "$archive" --to-command='printf "%s %s %s\n" "$(sha256sum | cut -c1-64)" "$TAR_SIZE" "$TAR_FILENAME"'
}
manifest > MANIFEST
sort -k3 MANIFEST > MANIFEST.sorted
gzip -9c MANIFEST.sorted > MANIFEST.gz
wc -l MANIFEST.sorted
