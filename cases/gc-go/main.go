// Keeps an index of small objects and makes garbage beside it; GOGC=3 makes the collector run all the time.
package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

type entry struct {
	next *entry
	text [40]byte
}

var index, last *entry

//go:noinline
func handleRequest() {
	for range 1000 {
		last = &entry{}
	}
}

func main() {
	for range 400_000 {
		index = &entry{next: index}
	}
	start, requests := time.Now(), 0
	for ; time.Since(start) < 2*time.Second; requests++ {
		handleRequest()
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	os.WriteFile("truth", fmt.Appendf(nil, "requests %d\ncollections %d\ncollector_cpu %.3f\n", requests, memory.NumGC, memory.GCCPUFraction), 0o644)
}
