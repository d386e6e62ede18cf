// Meter readings are stored in batches of up to a hundred, or when no hundred comes together within 120 ms. Every
// sender waits until its reading is stored before it has the next one, so no batch ever gets full.
package main

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	batchSize = 100
	linger    = 120 * time.Millisecond
)

type reading struct {
	meter  int
	value  float64
	stored chan struct{}
}

type store struct {
	readings chan reading
	file     *os.File
	full     int
	timedOut int
	writing  time.Duration
}

func (s *store) collectBatch() []reading {
	batch := []reading{<-s.readings}
	timer := time.NewTimer(linger)
	defer timer.Stop()
	for len(batch) < batchSize {
		select {
		case next, open := <-s.readings:
			if !open {
				return batch
			}
			batch = append(batch, next)
		case <-timer.C:
			s.timedOut++
			return batch
		}
	}
	s.full++
	return batch
}

func (s *store) writeBatch(batch []reading) {
	before := time.Now()
	var text bytes.Buffer
	for _, one := range batch {
		fmt.Fprintf(&text, "%d;%.2f\n", one.meter, one.value)
	}
	s.file.Write(text.Bytes())
	s.writing += time.Since(before)
	for _, one := range batch {
		close(one.stored)
	}
}

func (s *store) storeReadings(stop *atomic.Bool) {
	for !stop.Load() {
		s.writeBatch(s.collectBatch())
	}
}

func sendReadings(s *store, meter, count int) {
	for n := range count {
		one := reading{meter, float64(n) * 1.25, make(chan struct{})}
		s.readings <- one
		<-one.stored
	}
}

func main() {
	file, err := os.Create("readings.csv")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &store{readings: make(chan reading), file: file}
	var stop atomic.Bool
	start := time.Now()
	go s.storeReadings(&stop)
	var senders sync.WaitGroup
	for meter := range 8 {
		senders.Go(func() { sendReadings(s, meter, 17) })
	}
	senders.Wait()
	stop.Store(true)
	wall := time.Since(start)
	os.WriteFile("truth", fmt.Appendf(nil, "full_batches %d\ntimed_out_batches %d\nwriting %.4f\nseconds %.3f\n",
		s.full, s.timedOut, s.writing.Seconds()/wall.Seconds(), wall.Seconds()), 0o644)
}
