#!/bin/sh
# Prints a ticket for each passenger of a tram by a small PHP program.
passenger=0
while [ $passenger -lt 150 ]; do
    passenger=$((passenger + 1))
    php "$CASE/ticket.php" "$passenger" >> tickets.txt
done
