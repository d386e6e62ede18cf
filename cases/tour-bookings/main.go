// tour-bookings prints when a tour starts, in the time of each guest.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

type booking struct {
	guest int
	start time.Time
	zone  string
}

var zones = []string{
	"Europe/Berlin", "Europe/Lisbon", "America/New_York", "America/Sao_Paulo",
	"Asia/Tokyo", "Asia/Kolkata", "Australia/Sydney", "Africa/Nairobi",
}

type desk struct {
	state uint64
	guest int
}

func (d *desk) next() booking {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	d.guest++
	start := time.Date(2026, 5, 1, 7, 0, 0, 0, time.UTC).Add(time.Duration(d.state>>40%4000) * time.Hour)
	return booking{d.guest, start, zones[d.state>>33%uint64(len(zones))]}
}

// localStart is the start on the guest's own clock.
func localStart(b booking) (string, error) {
	zone, err := time.LoadLocation(b.zone)
	if err != nil {
		return "", err
	}
	return b.start.In(zone).Format("Mon 2 Jan 15:04 MST"), nil
}

func main() {
	end := time.Now().Add(2 * time.Second)
	out, err := os.Create("tickets.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	w := bufio.NewWriterSize(out, 1<<16)
	d := &desk{state: 1}
	for time.Now().Before(end) {
		b := d.next()
		local, err := localStart(b)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintf(w, "guest %d: %s\n", b.guest, local)
	}
	w.Flush()
	out.Close()
	fmt.Println(d.guest, "tickets")
}
