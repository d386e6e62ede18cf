#!/bin/sh
# Writes all names into one line, for the letter to the printer.
join_lines() {
    sed -e ':next' -e '$!N' -e 's/\n/, /' -e 'tnext' "$1"
}
join_lines names.txt > line.txt
