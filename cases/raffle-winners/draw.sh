#!/bin/bash
# Prints the names that belong to the winning tickets of a raffle.
seq 1 60000 | sed "s|.*|&;guest number & of the summer fair|" > tickets.txt

name_of() {
    sed -n "${1}p" tickets.txt | cut -d ';' -f 2
}

ticket=17
for winner in $(seq 1 330); do
    ticket=$(( (ticket * 7919 + winner) % 60000 + 1 ))
    echo "$winner. $(name_of "$ticket")"
done > winners.txt
