#!/usr/bin/env bash
# Makes sample.dll and sample.pdb out of sample.cpp with clang and lld: for x86-64 with all debug
# information, and (in x86/) for 32-bit x86 with public symbols only, as vendors hand them out. Same source, same bytes: time stamps are hashes, and no path of this machine gets in.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in x86_64 i686; do
  out=. debug=(-g -gcodeview -gno-codeview-command-line)
  [ "$target" = i686 ] && out=x86 debug=()
  mkdir -p "$out"
  clang-16 --target="$target-pc-windows-msvc" -O1 "${debug[@]}" -fno-exceptions -fno-rtti \
    -fdebug-prefix-map="$PWD=C:\\src" -fdebug-compilation-dir='C:\src' -ffile-prefix-map="$PWD=C:\\src" \
    -mno-stack-arg-probe -fno-stack-protector -c sample.cpp -o "$work/sample.obj"
  (cd "$work" && lld-link-16 /dll /noentry /nodefaultlib /debug /Brepro /pdbaltpath:%_PDB% \
    /pdbsourcepath:'C:\src' /out:sample.dll /pdb:sample.pdb sample.obj)
  cp "$work/sample.dll" "$work/sample.pdb" "$out/"
done
