#!/bin/bash
# Loads the readings of all stations into the database of the weather page.
set -euo pipefail

load_rows() {
    awk -F, 'BEGIN { print "create table if not exists reading (station text, hour int, temperature int); begin;" }
        { printf "insert into reading values (%c%s%c, %d, %d);\n", 39, $1, 39, $2, $3 }
        END { print "commit;" }' | sqlite3 weather.db
}

ruby "$CASE/export.rb" | load_rows
sqlite3 weather.db 'select count(*), round(avg(temperature), 1) from reading'
