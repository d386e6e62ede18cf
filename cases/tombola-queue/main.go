// The queue of a tombola stand: one file per ticket, numbered in the order in which they are drawn.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

type queue struct {
	folder  string
	length  int
	moves   int
	arrange time.Duration
}

func (q *queue) path(place int) string {
	return filepath.Join(q.folder, fmt.Sprintf("%04d.ticket", place))
}

func (q *queue) write(place int, ticket string) {
	if err := os.WriteFile(q.path(place), []byte(ticket), 0o644); err != nil {
		panic(err)
	}
}

// insert lets a ticket of a regular guest in at a place further ahead.
func (q *queue) insert(place int, ticket string) {
	before := time.Now()
	for last := q.length; last > place; last-- {
		if err := os.Rename(q.path(last-1), q.path(last)); err != nil {
			panic(err)
		}
		q.moves++
	}
	q.arrange += time.Since(before)
	q.write(place, ticket)
	q.length++
}

// draw takes the last ticket.
func (q *queue) draw() string {
	q.length--
	ticket, err := os.ReadFile(q.path(q.length))
	if err != nil {
		panic(err)
	}
	os.Remove(q.path(q.length))
	return string(ticket)
}

func main() {
	tickets, err := os.ReadDir("tickets")
	if err != nil {
		panic(err)
	}
	q := &queue{folder: "tickets", length: len(tickets)}
	start := time.Now()
	prizes := 0
	for guest := 0; time.Since(start) < 2200*time.Millisecond; guest++ {
		q.insert(guest%5, fmt.Sprintf("regular %d", guest))
		if ticket := q.draw(); len(ticket) > 0 && guest%9 == 0 {
			prizes++
		}
	}
	wall := time.Since(start)
	fmt.Println(prizes, "prizes")
	truth := fmt.Sprintf("share %.3f\nmoves %d\n", q.arrange.Seconds()/wall.Seconds(), q.moves)
	os.WriteFile("truth", []byte(truth), 0o644)
}
