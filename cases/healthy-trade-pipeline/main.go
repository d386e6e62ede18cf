// Computes daily figures from trades: stages hand over slices of 5,000 trades, as many workers as CPUs.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"time"
)

type trade struct {
	share  int
	price  float64
	amount int
}

type figures struct {
	volume, sum, squares float64
	highest              float64
}

var spare = sync.Pool{New: func() any { return make([]trade, 5000) }}

func makeTrades(block int) []trade {
	trades := spare.Get().([]trade)
	dice := uint32(block*2654435761 + 1)
	for n := range trades {
		dice = dice*1103515245 + 12345
		trades[n] = trade{int(dice>>16) % 500, 50 + float64(dice>>20)/100, 1 + int(dice>>8)%90}
	}
	return trades
}

func addTrades(trades []trade) map[int]*figures {
	result := make(map[int]*figures, 500)
	for _, t := range trades {
		f := result[t.share]
		if f == nil {
			f = &figures{}
			result[t.share] = f
		}
		turnover := t.price * float64(t.amount)
		f.volume += turnover
		f.sum += math.Log(t.price)
		f.squares += math.Log(t.price) * math.Log(t.price)
		f.highest = max(f.highest, t.price)
	}
	return result
}

func merge(all map[int]*figures, part map[int]*figures) {
	for share, f := range part {
		a := all[share]
		if a == nil {
			all[share] = f
			continue
		}
		a.volume, a.sum, a.squares = a.volume+f.volume, a.sum+f.sum, a.squares+f.squares
		a.highest = max(a.highest, f.highest)
	}
}

func main() {
	start, workers := time.Now(), runtime.NumCPU()
	blocks, parts := make(chan []trade, 16), make(chan map[int]*figures, 16)
	go func() {
		defer close(blocks)
		for n := 0; time.Since(start) < 2*time.Second; n++ {
			blocks <- makeTrades(n)
		}
	}()
	var open sync.WaitGroup
	for range workers {
		open.Go(func() {
			for block := range blocks {
				parts <- addTrades(block)
				spare.Put(block)
			}
		})
	}
	go func() { open.Wait(); close(parts) }()
	all, taken := map[int]*figures{}, 0
	for part := range parts {
		merge(all, part)
		taken++
	}
	volume := 0.0
	for _, f := range all {
		volume += f.volume
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	os.WriteFile("truth", fmt.Appendf(nil, "blocks %d\nshares %d\nvolume %.0f\nworkers %d\ngc_cpu %.4f\n", taken, len(all), volume, workers, memory.GCCPUFraction), 0o644)
}
