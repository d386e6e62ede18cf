// Looks for connections between the stations of a railway. The network and the found plans stay in memory.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

type station struct {
	name string
	next []*station
	note map[string]int
}

func network(count int) []*station {
	stations := make([]*station, count)
	for n := range stations {
		stations[n] = &station{name: fmt.Sprintf("station %d", n), note: map[string]int{"platforms": n%9 + 1}}
	}
	for n, s := range stations {
		for _, step := range []int{1, 17, 1009} {
			s.next = append(s.next, stations[(n+step)%count])
		}
	}
	return stations
}

type leg struct {
	from, to *station
	minutes  int
}

// connection follows the lines from one station for some legs.
func connection(from *station, seed int) []*leg {
	var legs []*leg
	for n := 0; n < 24; n++ {
		to := from.next[(seed>>(n%8))%3]
		legs = append(legs, &leg{from, to, 4 + len(to.name)%5})
		from = to
	}
	return legs
}

func main() {
	start := time.Now()
	stations := network(120_000)
	// The machine at the station has little memory left for the plans.
	debug.SetGCPercent(2)
	plans, minutes := 0, 0
	for time.Since(start) < 2500*time.Millisecond {
		for _, l := range connection(stations[plans*7919%len(stations)], plans) {
			minutes += l.minutes
		}
		plans++
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	text := fmt.Sprintf("plans %d\nminutes %d\ncollections %d\nheap_mb %d\ngc_cpu_fraction %.2f\n", plans, minutes,
		memory.NumGC, memory.HeapAlloc>>20, memory.GCCPUFraction)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
