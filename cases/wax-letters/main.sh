#!/bin/bash
# Seals the letters of the day for the courier, each with its own salt.
set -e
mkdir -p letters sealed
for name in abbot baker carter duchess elder; do
  printf 'To the %s: the ship is late, keep the oxen in the yard until Sunday.\n' "$name" > "letters/$name.txt"
done

seal() {
  openssl enc -aes-256-ctr -pbkdf2 -iter 420000 -md sha512 -S "$2" -pass file:word.txt \
    -in "letters/$1.txt" -out "sealed/$1.bin"
}

echo "twelve grey geese" > word.txt
number=16
for letter in letters/*.txt; do
  seal "$(basename "$letter" .txt)" "00112233445566$number"
  number=$((number + 1))
done
echo "sealed $(ls sealed | wc -l)" > truth
