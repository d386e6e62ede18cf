// The atlas of birds: all sightings are in memory, and questions about them are answered.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"time"
)

type sighting struct {
	species string
	grid    *[2]int
	next    *sighting
}

type atlas struct{ bySpecies map[int]*sighting }

func readAtlas(number int) *atlas {
	a := &atlas{bySpecies: map[int]*sighting{}}
	for n := 0; n < number; n++ {
		species := n * 31 % 900
		a.bySpecies[species] = &sighting{fmt.Sprint("species ", species), &[2]int{n % 500, n / 500}, a.bySpecies[species]}
	}
	return a
}

// nearest lists the grid cells of a species, the nearest first.
func (a *atlas) nearest(species, x, y int) []*[2]int {
	var cells []*[2]int
	for s := a.bySpecies[species]; s != nil && len(cells) < 200; s = s.next {
		cells = append(cells, &[2]int{s.grid[0] - x, s.grid[1] - y})
	}
	sort.Slice(cells, func(i, j int) bool {
		return cells[i][0]*cells[i][0]+cells[i][1]*cells[i][1] < cells[j][0]*cells[j][0]+cells[j][1]*cells[j][1]
	})
	return cells[:min(5, len(cells))]
}

func main() {
	// The service may have 44 MB.
	debug.SetMemoryLimit(44 << 20)
	a := readAtlas(800_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, questions, found := time.Now(), 0, 0
	for ; time.Since(start) < 2*time.Second; questions++ {
		found += len(a.nearest(questions%900, questions%500, questions%300))
	}
	runtime.ReadMemStats(&after)
	text := fmt.Sprintf("collections %d\ngc_cpu %.3f\nheap_mb %d\nquestions %d\nfound %d\n", after.NumGC-before.NumGC,
		after.GCCPUFraction, after.HeapAlloc>>20, questions, found)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
