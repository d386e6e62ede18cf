#!/bin/sh
# Makes the package that an image builder installs: the icons and translations of a desktop program.
set -e
mkdir -p pkg/DEBIAN pkg/usr/share/harbour/icons admin/info admin/updates root
cat > pkg/DEBIAN/control <<C
Package: harbour-data
Version: 3.2-1
Architecture: all
Maintainer: Build <build@localhost>
Description: icons and translations of a harbour program
C
path=$(seq -s " " 1 4200)
i=0
while [ $i -lt 1100 ]; do
    echo "icon $i: move 3 4, path $path, close" > pkg/usr/share/harbour/icons/buoy-$i.svg
    i=$((i + 1))
done
dpkg-deb -Znone -b pkg harbour-data.deb > /dev/null
: > admin/status
: > admin/available
rm -r pkg
