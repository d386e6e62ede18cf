// Makes previews of pictures, two at a time.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func makePreview(picture int) (sum uint32) {
	value := uint32(picture)
	for range 64 * 64 {
		for range 200 {
			value = value*1664525 + 1013904223
		}
		sum += value >> 24
	}
	return sum / (64 * 64)
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	var previews, brightness atomic.Int64
	var workers sync.WaitGroup
	start, before := time.Now(), cpu()
	for first := range 2 {
		workers.Go(func() {
			for picture := first; time.Since(start) < 2*time.Second; picture += 2 {
				brightness.Add(int64(makePreview(picture)))
				previews.Add(1)
			}
		})
	}
	workers.Wait()
	wall := time.Since(start)
	text := fmt.Sprintf("cpus %.2f\npreviews %d\nbrightness %d\n", (cpu()-before).Seconds()/wall.Seconds(), previews.Load(), brightness.Load()/previews.Load())
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
