// Six astronomers share an observatory that has one telescope; each looks at stars and computes their brightness.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type observatory struct{ telescopes chan struct{} }

var queued, nights atomic.Int64

// expose opens the shutter for six milliseconds.
func expose(star int) int {
	time.Sleep(6 * time.Millisecond)
	return star * 7919 % 1000
}

func (o *observatory) observe(star int) int {
	before := time.Now()
	o.telescopes <- struct{}{}
	queued.Add(int64(time.Since(before)))
	defer func() { <-o.telescopes }()
	return expose(star)
}

func brightness(counts int) (magnitude int) {
	for n := 0; n < 20_000; n++ {
		magnitude = (magnitude*31 + counts) % 65_521
	}
	return magnitude
}

func watch(o *observatory, astronomer int, until time.Time) (sum int) {
	for star := astronomer; time.Now().Before(until); star += 6 {
		sum += brightness(o.observe(star))
		nights.Add(1)
	}
	return sum
}

func main() {
	o := &observatory{telescopes: make(chan struct{}, 1)}
	start := time.Now()
	var astronomers sync.WaitGroup
	for n := range 6 {
		astronomers.Go(func() { watch(o, n, start.Add(2*time.Second)) })
	}
	astronomers.Wait()
	text := fmt.Sprintf("queued_per_astronomer %.3f\nstars %d\n", time.Duration(queued.Load()).Seconds()/6/time.Since(start).Seconds(), nights.Load())
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
