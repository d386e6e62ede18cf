// Sends documents through three stages, one document after the other. Each stage looks for work every 25 ms instead of
// waiting for it.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type tray struct {
	lock sync.Mutex
	jobs []int
}

var slept, looks atomic.Int64

func (t *tray) put(job int) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.jobs = append(t.jobs, job)
}

func (t *tray) tryTake() (int, bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if len(t.jobs) == 0 {
		return 0, false
	}
	job := t.jobs[0]
	t.jobs = t.jobs[1:]
	return job, true
}

func (t *tray) nextJob() int {
	for {
		if job, found := t.tryTake(); found {
			return job
		}
		before := time.Now()
		time.Sleep(25 * time.Millisecond)
		slept.Add(int64(time.Since(before)))
		looks.Add(1)
	}
}

func convert(job int) int {
	for n := 0; n < 10000; n++ {
		job = job*31 + n
	}
	return job & 0xffff
}

func stage(in, out *tray) {
	for {
		out.put(convert(in.nextJob()))
	}
}

func main() {
	var trays [4]tray
	for n := 0; n < 3; n++ {
		go stage(&trays[n], &trays[n+1])
	}
	start, documents := time.Now(), 0
	for time.Since(start) < 2*time.Second {
		trays[0].put(documents)
		trays[3].nextJob()
		documents++
	}
	took := time.Since(start)
	text := fmt.Sprintf("documents %d\nms_per_document %.1f\nasleep_per_stage %.3f\nlooks %d\n", documents,
		took.Seconds()*1000/float64(documents), time.Duration(slept.Load()).Seconds()/4/took.Seconds(), looks.Load())
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
