#!/bin/sh
# Puts the new notebooks into the repository.
set -eu
cd notes
git add --all .
git ls-files --stage | wc -l > ../stored
