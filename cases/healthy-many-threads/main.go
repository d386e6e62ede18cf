// Computes with 32 goroutines; the CPUs have work all the time.
package main

import (
	"sync"
	"time"
)

//go:noinline
func renderTile(seed uint64) uint64 {
	for n := range uint64(200_000) {
		seed = seed*6364136223846793005 + n
	}
	return seed
}

func main() {
	var group sync.WaitGroup
	start := time.Now()
	results := make([]uint64, 32)
	for worker := range results {
		group.Go(func() {
			for time.Since(start) < 1500*time.Millisecond {
				results[worker] = renderTile(results[worker])
			}
		})
	}
	group.Wait()
}
