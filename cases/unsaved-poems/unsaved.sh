#!/bin/sh
# Lists the poems of this year that have not been committed.
has_changed() {
    [ -n "$(git -C poems status --porcelain | grep -F "$1")" ]
}

for poem in $(seq 1 250); do
    if has_changed "year3/$poem.txt"; then
        echo "$poem" >> unsaved.txt
    fi
done
