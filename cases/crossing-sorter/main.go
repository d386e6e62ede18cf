// crossing-sorter puts the ferries of a crossing into the order of their departures, with the sort of the system.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"
)

type departure struct {
	minute int
	ferry  string
}

func timetable(day int) []departure {
	var list []departure
	for i := 0; i < 300; i++ {
		list = append(list, departure{(i*37 + day*11) % 1440, fmt.Sprintf("ferry-%02d", i%14)})
	}
	return list
}

// delay is the sum of the waves of a day, as the model of the harbour has it.
func delay(day int) float64 {
	sum := 0.0
	for i := 1; i < 6000000; i++ {
		sum += math.Sin(float64(i*day)) / float64(i)
	}
	return sum
}

// sorted gives the list to sort, and never waits for longer than patience.
func sorted(list []departure, patience time.Duration) ([]string, error) {
	cmd := exec.Command("sort", "-n")
	var out bytes.Buffer
	cmd.Stdout = &out
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for _, d := range list {
		if _, err := io.WriteString(in, fmt.Sprintf("%d %s\n", d.minute, d.ferry)); err != nil {
			return nil, err
		}
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-time.After(patience):
		// perhaps it wants to be told that this is all
		in.Close()
		select {
		case err = <-done:
		case <-time.After(time.Second):
			err = errors.New("sort hangs")
		}
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n"), err
}

func main() {
	start := time.Now()
	var sorting time.Duration
	day := 0
	for time.Since(start) < 2*time.Second {
		list := timetable(day)
		t := time.Now()
		lines, err := sorted(list, 350*time.Millisecond)
		sorting += time.Since(t)
		if err != nil || len(lines) != len(list) {
			fmt.Fprintln(os.Stderr, "day", day, len(lines), err)
			os.Exit(1)
		}
		fmt.Printf("day %d begins with %s, delay %.1f\n", day, lines[0], delay(day))
		day++
	}
	share := sorting.Seconds() / time.Since(start).Seconds()
	os.WriteFile("truth", []byte(fmt.Sprintf("share %.3f\ndays %d\n", share, day)), 0o644)
}
