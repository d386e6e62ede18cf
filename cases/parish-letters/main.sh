#!/bin/bash
# The monthly letters of a parish: written, stamped, sorted and counted.
here=$(dirname "$0")
perl "$here/letters.pl" 2 | ruby "$here/stamp.rb" 2 | sort -t ";" -k 2 > letters.txt
echo "$(wc -l < letters.txt) letters, $(cut -d ';' -f 2 letters.txt | uniq | wc -l) members"
