#!/bin/bash
# Looks whether every file of a release has its licence at the top.

make_repository() {
  git init -q -b main fonts
  cd fonts || exit 1
  git config user.email press@example.org
  git config user.name press
  for n in $(seq 1 700); do
    licence=OFL-1.1
    ((n % 40)) || licence=none
    printf '# SPDX-License-Identifier: %s\nglyph %d\n' "$licence" "$n" > "glyph$n.txt"
  done
  git add -A && git commit -q -m release && git tag v1
}

licence_of() {
  git show "v1:$1" | head -n 1 | cut -d: -f2
}

make_repository
until=$(( $(date +%s%N) + 1900000000 ))
checked=0
missing=0
while read -r name; do
  [ "$(date +%s%N)" -lt "$until" ] || break
  [ "$(licence_of "$name")" = " OFL-1.1" ] || missing=$((missing + 1))
  checked=$((checked + 1))
done < <(git ls-tree --name-only v1)
echo "$checked files, $missing without a licence"
