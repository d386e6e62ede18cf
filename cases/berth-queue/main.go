// Simulates a harbour: ships wait at anchor by their numbers, and whichever comes to hand gets the next free berth.
package main

import (
	"fmt"
	"math/rand"
	"time"
)

type ship struct {
	id     int
	length int
	since  int
}

type anchorage struct {
	waiting map[int]ship
}

// next takes any one of the ships that wait.
func (a *anchorage) next() (ship, bool) {
	for id, s := range a.waiting {
		delete(a.waiting, id)
		return s, true
	}
	return ship{}, false
}

func (a *anchorage) arrive(first, count int, rng *rand.Rand) {
	for i := first; i < first+count; i++ {
		a.waiting[i] = ship{id: i, length: 40 + rng.Intn(260), since: i}
	}
}

func main() {
	rng := rand.New(rand.NewSource(7))
	a := &anchorage{waiting: make(map[int]ship)}
	end := time.Now().Add(2 * time.Second)
	now := 400_000
	a.arrive(0, now, rng)
	served, length := 0, 0
	for time.Now().Before(end) {
		if len(a.waiting) < 600 {
			a.arrive(now, 20, rng)
			now += 20
		}
		for i := 0; i < 20; i++ {
			if s, ok := a.next(); ok {
				served++
				length += s.length
			}
		}
	}
	fmt.Println(served, "ships served,", length/max(served, 1), "m on average,", len(a.waiting), "wait")
}
