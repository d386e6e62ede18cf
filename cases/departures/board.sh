#!/bin/sh
# Makes the board of departures from the ferry company's timetable, with the day of the week for each.
set -e

board() {
	awk -F, '
		function day_of(seconds,    command, day) {
			command = "TZ=UTC0 date -d @" seconds " +\"%A, %H:%M\""
			command | getline day
			close(command)
			return day
		}
		function town(code) { return code in names ? names[code] : code }
		FNR == NR { names[$1] = $2; next }
		{
			day = day_of($1)
			printf "%-20s %-12s pier %d\n", day, town($2), $3
			departures[town($2)]++
		}
		END { for (t in departures) print "#", t, departures[t] }
	' towns.csv timetable.csv
}

board > board.txt
echo "departures $(grep -vc '^#' board.txt)" > truth
