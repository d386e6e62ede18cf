#!/bin/sh
# Computes pi by Machin's formula, and counts how often each digit occurs.
set -e
BC_LINE_LENGTH=0 bc -q "$1" > pi.txt
fold -w1 pi.txt | grep '[0-9]' | sort | uniq -c
