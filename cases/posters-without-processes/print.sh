#!/bin/bash
# Prints three posters: lays out each, and writes it to the printer's queue.
lay_out_page() {
    /bin/true "page $1"
}
print_poster() {
    lay_out_page "$1"
    echo "poster $1"
}
ulimit -u 2
for page in 1 2 3; do
    print_poster $page
done
