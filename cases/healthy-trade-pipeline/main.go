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

const shares = 500

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
		trades[n] = trade{int(dice>>16) % shares, 50 + float64(dice>>20)/100, 1 + int(dice>>8)%90}
	}
	return trades
}

func addTrades(trades []trade) []figures {
	result := make([]figures, shares)
	for _, t := range trades {
		f := &result[t.share]
		turnover := t.price * float64(t.amount)
		f.volume += turnover
		f.sum += math.Log(t.price)
		f.squares += math.Log(t.price) * math.Log(t.price)
		f.highest = max(f.highest, t.price)
	}
	return result
}

func merge(all, part []figures) {
	for share, f := range part {
		a := &all[share]
		a.volume, a.sum, a.squares = a.volume+f.volume, a.sum+f.sum, a.squares+f.squares
		a.highest = max(a.highest, f.highest)
	}
}

func main() {
	start, workers := time.Now(), runtime.NumCPU()
	blocks, parts := make(chan []trade, 16), make(chan []figures, 16)
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
	all, taken := make([]figures, shares), 0
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
	os.WriteFile("truth", fmt.Appendf(nil, "blocks %d\nshares %d\nvolume %.0f\nworkers %d\ngc_cpu %.4f\n", taken, shares, volume, workers, memory.GCCPUFraction), 0o644)
}
