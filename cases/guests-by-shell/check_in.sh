#!/bin/sh
# Enters the guests of a congress into the book of a hotel.
enter_guest() {
    sqlite3 hotel.db "insert into guest values($1, 'Guest $1 of the congress', $(($1 % 4 + 1)))"
}

room=100
while [ $room -lt 800 ]; do
    enter_guest $room
    room=$((room + 1))
done
