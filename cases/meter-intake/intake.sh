#!/bin/bash
# Takes the day's readings of the meters into the database, as one stream of statements.
statements() {
    awk -F ';' -v end="$(($(date +%s) + 2))" '
        NR > 1 && $3 >= 0 { printf "INSERT INTO reading (meter, at, value) VALUES (%d, %d, %f);\n", $1, $2, $3; fflush() }
    ' readings.csv
}

sqlite3 meters.db 'CREATE TABLE IF NOT EXISTS reading (id INTEGER PRIMARY KEY, meter INTEGER, at INTEGER, value REAL);'
statements | timeout 2 sqlite3 meters.db
sqlite3 meters.db 'SELECT count(*), round(avg(value), 2) FROM reading'
