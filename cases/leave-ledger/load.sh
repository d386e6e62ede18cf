#!/bin/sh
# Loads bookings of leave into the ledger of the staff office, until the slot of the job is over.
set -eu
end=$(( $(date +%s%N) + 1800000000 ))
rm -f leave.db
sqlite3 leave.db < "$CASE/schema.sql"
n=0
for book in book*.sql; do
    [ "$(date +%s%N)" -lt "$end" ] || break
    sqlite3 leave.db "pragma synchronous = off" ".read $book"
    n=$(( n + 1 ))
done
sqlite3 leave.db "select $n || ' books', count(*) from leave"
