// Finds the route of each parcel of a day, on all CPUs, and writes the routes into one file.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	hubs  = 1500
	batch = 64
)

type road struct{ to, minutes int }

type network [hubs][]road

func newNetwork() *network {
	var roads network
	for hub := range roads {
		for n := 1; n <= 6; n++ {
			to := (hub*7919 + n*n*31 + 1) % hubs
			roads[hub] = append(roads[hub], road{to, 5 + (hub*13+n*7)%90})
		}
	}
	return &roads
}

// scratch is what a search needs; it is kept from one to the next.
type scratch struct {
	minutes [hubs]int
	queue   []int
}

func (s *scratch) shortest(roads *network, from, to int) int {
	for n := range s.minutes {
		s.minutes[n] = 1 << 30
	}
	s.minutes[from] = 0
	s.queue = append(s.queue[:0], from)
	for head := 0; head < len(s.queue); head++ {
		hub := s.queue[head]
		for _, r := range roads[hub] {
			if m := s.minutes[hub] + r.minutes; m < s.minutes[r.to] && m < s.minutes[to] {
				s.minutes[r.to] = m
				s.queue = append(s.queue, r.to)
			}
		}
	}
	return s.minutes[to]
}

func route(roads *network, first int, lines []byte, s *scratch) []byte {
	for parcel := first; parcel < first+batch; parcel++ {
		from, to := parcel*31%hubs, parcel*104729%hubs
		lines = strconv.AppendInt(append(lines, 'P'), int64(parcel), 10)
		lines = strconv.AppendInt(append(lines, ' '), int64(s.shortest(roads, from, to)), 10)
		lines = append(lines, '\n')
	}
	return lines
}

func work(roads *network, batches <-chan int, done chan<- []byte, spare *sync.Pool) {
	var s scratch
	for first := range batches {
		lines := *spare.Get().(*[]byte)
		done <- route(roads, first, lines[:0], &s)
	}
}

func write(path string, done <-chan []byte, spare *sync.Pool) (written int) {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriterSize(file, 64<<10)
	for lines := range done {
		out.Write(lines)
		written += batch
		spare.Put(&lines)
	}
	out.Flush()
	file.Close()
	return written
}

func main() {
	roads := newNetwork()
	start := time.Now()
	batches, done := make(chan int, 64), make(chan []byte, 64)
	spare := &sync.Pool{New: func() any { lines := make([]byte, 0, 4096); return &lines }}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			work(roads, batches, done, spare)
		}()
	}
	go func() {
		for first := 0; time.Since(start) < 1800*time.Millisecond; first += batch {
			batches <- first
		}
		close(batches)
		workers.Wait()
		close(done)
	}()
	written := write("routes.txt", done, spare)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	truth := fmt.Sprintf("parcels %d\ncpus_used %.2f\n", written, cpu.Seconds()/time.Since(start).Seconds())
	os.WriteFile("truth", []byte(truth), 0o644)
}
