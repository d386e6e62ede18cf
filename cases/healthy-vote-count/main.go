// Counts the votes of an election by the single transferable vote, ward by ward, on all CPUs.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

const parties = 12

func ballots(ward, number int) [][parties]uint8 {
	all := make([][parties]uint8, number)
	state := uint32(ward*2654435761 + 1)
	for n := range all {
		for place := range all[n] {
			all[n][place] = uint8(place)
		}
		for place := parties - 1; place > 0; place-- {
			state = state*1664525 + 1013904223
			other := int(state>>8) % (place + 1)
			all[n][place], all[n][other] = all[n][other], all[n][place]
		}
	}
	return all
}

func winner(votes [][parties]uint8) int {
	var out [parties]bool
	for round := 0; round < parties-1; round++ {
		var count [parties]int
		for n := range votes {
			for _, party := range votes[n] {
				if !out[party] {
					count[party]++
					break
				}
			}
		}
		last := -1
		for party := range count {
			if !out[party] && (last < 0 || count[party] < count[last]) {
				last = party
			}
		}
		out[last] = true
	}
	for party := range out {
		if !out[party] {
			return party
		}
	}
	return -1
}

func main() {
	end := time.Now().Add(2 * time.Second)
	wards := make(chan int, 8)
	var group sync.WaitGroup
	var lock sync.Mutex
	seats := make(map[int]int)
	for range runtime.GOMAXPROCS(0) {
		group.Add(1)
		go func() {
			defer group.Done()
			for ward := range wards {
				party := winner(ballots(ward, 20000))
				lock.Lock()
				seats[party]++
				lock.Unlock()
			}
		}()
	}
	ward := 0
	for ; time.Now().Before(end); ward++ {
		wards <- ward
	}
	close(wards)
	group.Wait()
	os.WriteFile("seats.txt", []byte(fmt.Sprintln(ward, seats)), 0o644)
}
