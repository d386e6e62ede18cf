#!/bin/bash
# Packs the atlas for the archive, and checks the pack.
set -eo pipefail
tar -cf - atlas | bzip2 > atlas.tar.bz2
bzip2 -t atlas.tar.bz2
ls -l atlas.tar.bz2
