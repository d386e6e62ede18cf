// Exports the bookings of a year as a table.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

func row(number int) string {
	return fmt.Sprintf("%d;%d.%02d;account %d\n", number, number*37%10000, number%100, number%977)
}

// Returns the table, and how long the first and the last thousand rows took.
func exportBookings(seconds time.Duration) (string, int, time.Duration, time.Duration) {
	var first, last time.Duration
	text := ""
	rows := 0
	start := time.Now()
	for time.Since(start) < seconds {
		before := time.Now()
		for range 1000 {
			text += row(rows)
			rows++
		}
		last = time.Since(before)
		if first == 0 {
			first = last
		}
	}
	return text, rows, first, last
}

func withBuilder(rows int) time.Duration {
	before := time.Now()
	var text strings.Builder
	for number := range rows {
		text.WriteString(row(number))
	}
	os.WriteFile("builder.csv", []byte(text.String()), 0o644)
	return time.Since(before)
}

func main() {
	start := time.Now()
	text, rows, first, last := exportBookings(2 * time.Second)
	wall := time.Since(start)
	if err := os.WriteFile("bookings.csv", []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	other := withBuilder(rows)
	os.WriteFile("truth", fmt.Appendf(nil, "copying %.3f\nrows %d\ngrowth %.1f\n", 1-other.Seconds()/wall.Seconds(), rows,
		last.Seconds()/first.Seconds()), 0o644)
}
