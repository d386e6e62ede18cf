// visitor-addresses counts the visitors of a site by their addresses, in a table made for numbers.
package main

import (
	"fmt"
	"os"
	"time"
)

type slot struct {
	address uint32
	visits  uint32
}

// table is an open hash table with linear probing.
type table struct {
	slots []slot
	used  int
}

func newTable(bits uint) *table {
	return &table{slots: make([]slot, 1<<bits)}
}

func (t *table) place(address uint32) uint32 {
	return address & uint32(len(t.slots)-1)
}

//go:noinline
func (t *table) find(address uint32) *slot {
	for i := t.place(address); ; i = (i + 1) & uint32(len(t.slots)-1) {
		s := &t.slots[i]
		if s.address == address || s.address == 0 {
			return s
		}
	}
}

func (t *table) count(address uint32) {
	s := t.find(address)
	if s.address == 0 {
		if t.used*2 >= len(t.slots) {
			fmt.Fprintln(os.Stderr, "too many visitors")
			os.Exit(1)
		}
		s.address = address
		t.used++
	}
	s.visits++
}

type traffic struct{ state uint64 }

// next is a visitor from one of 120 networks of an office building, all of which number their machines from 1 upwards.
func (t *traffic) next() uint32 {
	t.state ^= t.state << 13
	t.state ^= t.state >> 7
	t.state ^= t.state << 17
	network := uint32(t.state>>20) % 120
	machine := uint32(t.state>>40)%250 + 1
	return 10<<24 | network<<16 | 1<<8 | machine
}

func main() {
	end := time.Now().Add(2 * time.Second)
	t := newTable(16)
	visitors := &traffic{state: 88172645463325252}
	n := 0
	for time.Now().Before(end) {
		for i := 0; i < 50; i++ {
			t.count(visitors.next())
			n++
		}
	}
	most := slot{}
	for _, s := range t.slots {
		if s.visits > most.visits {
			most = s
		}
	}
	fmt.Printf("%d visits from %d addresses, most often %d.%d.%d.%d\n", n, t.used, most.address>>24, most.address>>16&255, most.address>>8&255, most.address&255)
}
