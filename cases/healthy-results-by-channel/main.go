// Computes the heights of tides at many hours in workers, one per CPU, and finds the highest.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"time"
)

func height(hour int) float64 {
	sum := 0.0
	for wave := 1; wave <= 40; wave++ {
		sum += math.Cos(float64(hour)*0.52/float64(wave)) / float64(wave)
	}
	return sum
}

func highestOf(first int) float64 {
	highest := math.Inf(-1)
	for hour := first; hour < first+2000; hour++ {
		highest = math.Max(highest, height(hour))
	}
	return highest
}

func main() {
	parts := make(chan int)
	results := make(chan float64)
	var workers sync.WaitGroup
	for n := 0; n < runtime.NumCPU(); n++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for first := range parts {
				results <- highestOf(first)
			}
		}()
	}
	go func() {
		for start, first := time.Now(), 0; time.Since(start) < 2*time.Second; first += 2000 {
			parts <- first
		}
		close(parts)
		workers.Wait()
		close(results)
	}()
	highest, count := math.Inf(-1), 0
	for result := range results {
		highest = math.Max(highest, result)
		count++
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("parts %d\nhighest %.3f\n", count, highest)), 0o644)
}
