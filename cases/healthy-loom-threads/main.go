// Weaves cloth: one goroutine draws patterns, another weaves them; patterns go through a channel in batches.
package main

import (
	"fmt"
	"time"
)

type pattern [256]uint32

func drawPatterns(out chan<- []pattern, end time.Time) {
	seed := uint32(1)
	for time.Now().Before(end) {
		batch := make([]pattern, 0, 2000)
		for n := 0; n < 2000; n++ {
			var p pattern
			for at := range p {
				for k := 0; k < 4; k++ {
					seed ^= seed << 13
					seed ^= seed >> 17
					seed ^= seed << 5
				}
				p[at] = seed
			}
			batch = append(batch, p)
		}
		out <- batch
	}
	close(out)
}

func weave(batch []pattern) (threads uint32) {
	for n := range batch {
		for _, colour := range batch[n] {
			for k := 0; k < 22; k++ {
				colour = colour*2654435761 + uint32(n)
			}
			threads += colour >> 24
		}
	}
	return threads
}

func main() {
	patterns := make(chan []pattern, 4)
	start := time.Now()
	go drawPatterns(patterns, start.Add(2*time.Second))
	threads, batches := uint32(0), 0
	for batch := range patterns {
		threads += weave(batch)
		batches++
	}
	fmt.Println(batches, "batches,", threads, "threads", time.Since(start))
}
