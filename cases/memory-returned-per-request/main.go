// A map service with a large table of roads. After the container was killed once, somebody added a call that returns
// memory to the system after every request; each of these calls collects all garbage first.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

type road struct {
	name  string
	next  *road
	metre float64
}

var (
	roads     []*road
	returning time.Duration
)

func loadRoads(count int) {
	for n := range count {
		one := &road{name: fmt.Sprintf("road %d", n), metre: float64(n%700) * 1.5}
		if n > 0 {
			one.next = roads[n/2]
		}
		roads = append(roads, one)
	}
}

func describeRoute(from int) string {
	var text strings.Builder
	total := 0.0
	for at := roads[from]; at != nil && total < 9000; at = at.next {
		total += at.metre
		fmt.Fprintf(&text, "%s, %.0f m\n", at.name, at.metre)
	}
	return text.String()
}

func returnMemory() {
	before := time.Now()
	debug.FreeOSMemory()
	returning += time.Since(before)
}

func handleRequest(number int) int {
	text := describeRoute((number*7919 + 13) % len(roads))
	returnMemory()
	return len(text)
}

func main() {
	loadRoads(400_000)
	start := time.Now()
	requests, bytes := 0, 0
	for time.Since(start) < 2*time.Second {
		bytes += handleRequest(requests)
		requests++
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	os.WriteFile("truth", fmt.Appendf(nil, "requests %d\nbytes %d\nreturning %.3f\nforced_collections %d\n", requests, bytes,
		returning.Seconds()/time.Since(start).Seconds(), memory.NumForcedGC), 0o644)
}
