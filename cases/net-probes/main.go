// Asks the counters of each tenant's network cell, and adds them up.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

type tenant struct {
	id   int
	name string
}

type reading struct {
	tenant  int
	packets uint64
}

// enterCell puts the current thread into the cell of a tenant, as setns does; a
// thread that was in a cell must not be used for anything else.
func enterCell(t tenant) uint64 {
	runtime.LockOSThread()
	h := fnv.New64a()
	h.Write([]byte(t.name))
	return h.Sum64()
}

func readCounters(t tenant, seed uint64) reading {
	var sum uint64
	for i := 0; i < 64; i++ {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		sum += seed & 1023
	}
	return reading{t.id, sum}
}

func probe(t tenant, out chan<- reading, done *sync.WaitGroup) {
	defer done.Done()
	seed := enterCell(t)
	out <- readCounters(t, seed)
}

func round(tenants []tenant, totals map[int]uint64) {
	for _, t := range tenants {
		out := make(chan reading, 1)
		var done sync.WaitGroup
		done.Add(1)
		go probe(t, out, &done)
		done.Wait()
		r := <-out
		totals[r.tenant] += r.packets
	}
}

func main() {
	var tenants []tenant
	for i := 0; i < 120; i++ {
		tenants = append(tenants, tenant{i, "tenant-" + strconv.Itoa(i)})
	}
	totals := map[int]uint64{}
	begin := time.Now()
	rounds := 0
	for time.Since(begin) < 2*time.Second {
		round(tenants, totals)
		rounds++
	}
	fmt.Fprintln(os.Stdout, rounds, "rounds,", totals[7], "packets of tenant 7")
}
