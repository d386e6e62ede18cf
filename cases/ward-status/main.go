// Answers questions about the beds of a hospital, and notes the memory in use with each answer.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

type bed struct {
	ward, number int
	taken        bool
}

type hospital struct {
	mu    sync.Mutex
	beds  []*bed
	notes []uint64
}

func (h *hospital) answer(ward int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	free := 0
	for i := ward * 40; i < ward*40+40; i++ {
		if !h.beds[i].taken {
			free++
		}
		h.beds[i].taken = !h.beds[i].taken
	}
	return free
}

func (h *hospital) noteMemory() {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	h.notes[int(stats.Mallocs)%len(h.notes)] = stats.HeapInuse
}

func main() {
	h := &hospital{notes: make([]uint64, 512)}
	for i := 0; i < 4000; i++ {
		h.beds = append(h.beds, &bed{i / 40, i % 40, i%3 == 0})
	}
	end := time.Now().Add(2 * time.Second)
	answers, free := 0, 0
	for time.Now().Before(end) {
		free += h.answer(answers % 100)
		h.noteMemory()
		answers++
	}
	fmt.Println(answers, "answers,", free, "beds free")
}
