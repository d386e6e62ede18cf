// A metronome: its arguments are the beats per minute, and how many.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func beat(number int) {
	fmt.Printf("%s %d\n", []string{"TICK", "tock", "tock", "tock"}[number%4], number)
}

func main() {
	tempo, total := 120, 4
	if len(os.Args) == 3 {
		tempo, _ = strconv.Atoi(os.Args[1])
		total, _ = strconv.Atoi(os.Args[2])
	}
	if tempo < 1 || total < 1 {
		fmt.Fprintln(os.Stderr, "usage: metronome TEMPO BEATS")
		os.Exit(2)
	}
	pause := time.Minute / time.Duration(tempo)
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	start := time.Now()
	latest := time.Duration(0)
	for number := range total {
		<-ticker.C
		latest = max(latest, time.Since(start)-pause*time.Duration(number+1))
		beat(number)
	}
	os.WriteFile("truth", fmt.Appendf(nil, "late_ms %.1f\nbeats %d\n", float64(latest.Microseconds())/1000, total), 0o644)
}
