#!/bin/sh
# A stick with an ext4, and the notes that go to it.
set -e
fusermount3 -u -z stick 2>/dev/null || true
mkdir -p stick notes
truncate -s 96M stick.img
mkfs.ext4 -q -F -O ^has_journal -N 8000 stick.img
perl -e 'for my $d (1..45) { mkdir "notes/$d"; for my $f (1..90) { open my $h, ">", "notes/$d/$f.txt" or die; print $h "note $f of day $d\n" x (20 + $f) } }'
