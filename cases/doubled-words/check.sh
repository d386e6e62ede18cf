#!/bin/bash
# Looks for slips in a manual before it is printed: repeated phrases, long lines, tabs.
set -u
text=manual.txt

repeated_phrases() {
    grep -nE '([a-z]+ [a-z]+).* \1' "$text"
}

long_lines() {
    awk 'length($0) > 120 { n++ } END { print n + 0, "long lines" }' "$text"
}

tabs() {
    grep -c $'\t' "$text"
}

repeated_phrases > repeated.txt
long_lines
tabs
wc -l < repeated.txt
