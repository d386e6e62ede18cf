// Watches the turbines of a dam: workers evaluate samples and note them in a registry, which a page shows.
package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type series struct {
	count int
	sum   float64
	last  float64
}

type Registry struct {
	mu     sync.RWMutex
	series map[string]*series
}

func (r *Registry) Observe(name string, v float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.series[name]
	if s == nil {
		s = &series{}
		r.series[name] = s
	}
	s.count++
	s.sum += v
	s.last = v
}

func (r *Registry) Render(out *bytes.Buffer) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	names := make([]string, 0, len(r.series))
	for n := range r.series {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		s := r.series[n]
		fmt.Fprintf(out, "%s_count %d\n%s_mean %.6g\n%s_last %.6g\n", strings.ToLower(n), s.count, strings.ToLower(n), s.sum/float64(s.count), strings.ToLower(n), s.last)
	}
}

func evaluate(turbine, sample int) float64 {
	v := float64(turbine)
	for k := 1; k < 4000; k++ {
		v += math.Sin(float64(sample*k)) / float64(k)
	}
	return v
}

func main() {
	registry := &Registry{series: map[string]*series{}}
	for t := 0; t < 40000; t++ {
		registry.Observe(fmt.Sprintf("Turbine%05d_Pressure", t), float64(t))
	}
	start := time.Now()
	end := start.Add(2 * time.Second)
	var waited, samples atomic.Int64
	var workers sync.WaitGroup
	for w := 0; w < 4; w++ {
		workers.Add(1)
		go func(w int) {
			defer workers.Done()
			for i := 0; time.Now().Before(end); i++ {
				v := evaluate(w, i)
				t := time.Now()
				registry.Observe(fmt.Sprintf("Turbine%05d_Pressure", (i*7+w)%40000), v)
				waited.Add(int64(time.Since(t)))
				samples.Add(1)
			}
		}(w)
	}
	pages := 0
	page := &bytes.Buffer{}
	go func() {
		for time.Now().Before(end) {
			page.Reset()
			registry.Render(page)
			pages++
			time.Sleep(4 * time.Millisecond)
		}
	}()
	workers.Wait()
	fmt.Printf("%d samples, %d pages, workers waited %.2f of their time\n", samples.Load(), pages,
		float64(waited.Load())/4/float64(time.Since(start)))
	os.Stdout.Sync()
}
