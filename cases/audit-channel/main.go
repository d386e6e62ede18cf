// Books orders. Each booking is confirmed when the auditor, a goroutine of its own, has noted it.
package main

import (
	"fmt"
	"os"
	"time"
)

type note struct {
	text string
	done chan error
}

type auditor struct {
	notes   chan note
	file    *os.File
	syncing time.Duration
}

func newAuditor(name string) (*auditor, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	a := &auditor{notes: make(chan note), file: file}
	go a.work()
	return a, nil
}

//go:noinline
func (a *auditor) writeNote(text string) error {
	if _, err := a.file.WriteString(text); err != nil {
		return err
	}
	before := time.Now()
	err := a.file.Sync()
	a.syncing += time.Since(before)
	return err
}

func (a *auditor) work() {
	for n := range a.notes {
		n.done <- a.writeNote(n.text)
	}
}

type booking struct {
	order, customer int
	cents           int
}

//go:noinline
func bookOrder(a *auditor, b booking) error {
	b.cents += b.cents * 19 / 100
	n := note{fmt.Sprintf("order %d customer %d cents %d\n", b.order, b.customer, b.cents), make(chan error)}
	a.notes <- n
	return <-n.done
}

func main() {
	a, err := newAuditor("audit.log")
	if err != nil {
		panic(err)
	}
	start, orders := time.Now(), 0
	var booking_ time.Duration
	for ; time.Since(start) < 2*time.Second; orders++ {
		before := time.Now()
		if err := bookOrder(a, booking{orders, orders % 977, 1000 + orders%5000}); err != nil {
			panic(err)
		}
		booking_ += time.Since(before)
	}
	wall := time.Since(start).Seconds()
	os.WriteFile("truth", fmt.Appendf(nil, "syncing %.3f\nbooking %.3f\norders %d\n", a.syncing.Seconds()/wall, booking_.Seconds()/wall, orders), 0o644)
}
