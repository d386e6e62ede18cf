#!/bin/sh
# Installs the package into the tree of an image, which is packed afterwards.
set -e
dpkg --root="$PWD/root" --admindir="$PWD/admin" --no-force-unsafe-io --force-not-root --force-script-chrootless --log="$PWD/dpkg.log" --install harbour-data.deb
tar cf image.tar root
ls -l image.tar
