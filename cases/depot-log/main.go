// depot-log assigns trams to tracks, and notes each decision in a log.
package main

import (
	"fmt"
	"log"
	"os"
	"time"
)

type tram struct {
	line, car int
	length    float64
}

type track struct {
	number int
	free   float64
}

type depot struct {
	tracks []track
	notes  *log.Logger
}

func (d *depot) assign(t tram) bool {
	for i := range d.tracks {
		k := &d.tracks[i]
		if k.free < t.length {
			d.notes.Printf("track %d has only %.1f m for car %d of line %d (%.1f m)", k.number, k.free, t.car, t.line, t.length)
			continue
		}
		k.free -= t.length
		d.notes.Printf("car %d of line %d goes to track %d", t.car, t.line, k.number)
		return true
	}
	d.notes.Printf("no track for car %d", t.car)
	return false
}

func (d *depot) leave() {
	for i := range d.tracks {
		d.tracks[i].free = 180 + float64(i*13%40)
	}
}

func main() {
	start := time.Now()
	file, err := os.OpenFile("depot.log", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	d := &depot{tracks: make([]track, 12), notes: log.New(file, "", log.Ldate|log.Lmicroseconds|log.Llongfile)}
	for i := range d.tracks {
		d.tracks[i].number = i + 1
	}
	nights, parked := 0, 0
	for time.Since(start) < 2*time.Second {
		d.leave()
		for car := 0; ; car++ {
			if !d.assign(tram{car % 9, car, 27 + float64(car%3)*9.5}) {
				break
			}
			parked++
		}
		nights++
	}
	fmt.Println(nights, "nights,", parked, "cars")
}
