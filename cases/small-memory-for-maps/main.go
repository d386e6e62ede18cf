// Draws map tiles; a cache of places is kept in memory. The container's settings give GOMEMLIMIT.
package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

type place struct {
	name      string
	neighbour *place
	height    [6]int
}

//go:noinline
func loadPlaces(count int) []*place {
	places := make([]*place, count)
	for i := range places {
		places[i] = &place{name: fmt.Sprintf("place %d", i)}
		if i > 0 {
			places[i].neighbour = places[i*7919%i]
		}
	}
	return places
}

//go:noinline
func drawTile(places []*place, number int) int {
	tile := make([][]byte, 64)
	for row := range tile {
		tile[row] = make([]byte, 256)
		p := places[(number*64+row)*31%len(places)]
		copy(tile[row], p.name)
		tile[row][255] = byte(p.height[row%6] + len(p.neighbour.name))
	}
	return int(tile[number%64][255])
}

func main() {
	places := loadPlaces(400000)
	places[0].neighbour = places[1]
	start := time.Now()
	tiles, sum := 0, 0
	for time.Since(start) < 2*time.Second {
		sum += drawTile(places, tiles)
		tiles++
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	os.WriteFile("truth", []byte(fmt.Sprintf("tiles %d\nsum %d\ncollections %d\ngc_cpu_of_all %.2f\n", tiles, sum, stats.NumGC, stats.GCCPUFraction)), 0o644)
}
