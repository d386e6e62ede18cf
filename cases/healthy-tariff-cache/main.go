// Quotes for travellers, on all CPUs. The tariffs are behind a reader-writer lock, and change twice a second.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type tariffs struct {
	sync.RWMutex
	cents map[int]int
}

var queued, quotes atomic.Int64

func newTariffs(season int) map[int]int {
	cents := map[int]int{}
	for zone := range 200 {
		cents[zone] = 150 + zone*zone%997 + season
	}
	return cents
}

func (t *tariffs) zone(zone int) int {
	before := time.Now()
	t.RLock()
	queued.Add(int64(time.Since(before)))
	defer t.RUnlock()
	return t.cents[zone]
}

// journey finds the cheapest way through the zones.
func journey(base, traveller int) int {
	cheapest := 1 << 30
	for way := 0; way < 40_000; way++ {
		price := base + (way*7919+traveller*31)%5003 - way%17
		cheapest = min(cheapest, price)
	}
	return cheapest
}

func quote(t *tariffs, clerk int, until time.Time) (sum int) {
	for traveller := clerk; time.Now().Before(until); traveller++ {
		sum += journey(t.zone(traveller%200), traveller)
		quotes.Add(1)
	}
	return sum
}

func main() {
	t := &tariffs{cents: newTariffs(0)}
	start := time.Now()
	until := start.Add(1900 * time.Millisecond)
	var clerks sync.WaitGroup
	cpus := runtime.GOMAXPROCS(0)
	for clerk := range cpus {
		clerks.Add(1)
		go func() {
			defer clerks.Done()
			quote(t, clerk, until)
		}()
	}
	go func() {
		for season := 1; ; season++ {
			time.Sleep(500 * time.Millisecond)
			next := newTariffs(season)
			t.Lock()
			t.cents = next
			t.Unlock()
		}
	}()
	clerks.Wait()
	took := time.Since(start).Seconds()
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
	text := fmt.Sprintf("cpus_used %.2f\nqueued_per_clerk %.5f\nquotes %d\n", cpu/took, time.Duration(queued.Load()).Seconds()/took/float64(cpus), quotes.Load())
	os.WriteFile("truth", []byte(text), 0o644)
}
