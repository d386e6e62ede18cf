// Computes the shadows of a terrain, tile by tile, with as many goroutines as CPUs.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const side = 96

type tile struct {
	column, row int
	shadow      float64
}

func height(x, y int) float64 {
	return 40*math.Sin(float64(x)/17) + 25*math.Cos(float64(y)/11) + float64((x*7919+y*104729)%13)
}

func isInShadow(x, y int) bool {
	own := height(x, y)
	for step := 1; step < 40; step++ {
		if height(x+step, y-step) > own+float64(step)*1.3 {
			return true
		}
	}
	return false
}

func shadowOf(t tile) tile {
	dark := 0
	for y := range side {
		for x := range side {
			if isInShadow(t.column*side+x, t.row*side+y) {
				dark++
			}
		}
	}
	t.shadow = float64(dark) / (side * side)
	return t
}

func worker(jobs <-chan tile, done chan<- tile) {
	for job := range jobs {
		done <- shadowOf(job)
	}
}

func feed(jobs chan<- tile, until time.Time) {
	for n := 0; time.Now().Before(until); n++ {
		jobs <- tile{column: n % 40, row: n / 40}
	}
	close(jobs)
}

func compute(until time.Time) (int, float64) {
	jobs, done := make(chan tile, 64), make(chan tile, 64)
	var group sync.WaitGroup
	for range runtime.NumCPU() {
		group.Go(func() { worker(jobs, done) })
	}
	go feed(jobs, until)
	go func() { group.Wait(); close(done) }()
	var tiles atomic.Int64
	sum := 0.0
	for t := range done {
		tiles.Add(1)
		sum += t.shadow
	}
	return int(tiles.Load()), sum
}

func main() {
	start := time.Now()
	tiles, sum := compute(start.Add(2200 * time.Millisecond))
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	cpus := float64(usage.Utime.Nano()) / float64(time.Since(start).Nanoseconds())
	truth := fmt.Sprintf("tiles %d\nmean %.4f\ncpus_used %.2f\ncpus_there %d\n", tiles, sum/float64(tiles), cpus, runtime.NumCPU())
	if err := os.WriteFile("truth", []byte(truth), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
