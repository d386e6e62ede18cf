// Sells tickets for trams at six counters; each ticket gets its number and its place from the common plan.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type plan struct {
	mutex sync.Mutex
	seats map[string]int
	file  *os.File
	sold  int
}

func (p *plan) backup() error {
	if _, err := p.file.Seek(0, 0); err != nil {
		return err
	}
	for tram, seats := range p.seats {
		if _, err := fmt.Fprintf(p.file, "%s %d\n", tram, seats); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) sell(tram string) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.seats[tram]++
	p.sold++
	if err := p.backup(); err != nil {
		return 0, err
	}
	return p.sold, nil
}

func counter(p *plan, number int, until time.Time) {
	for n := number; time.Now().Before(until); n += 6 {
		if _, err := p.sell(fmt.Sprintf("tram-%d", n%300)); err != nil {
			panic(err)
		}
	}
}

func main() {
	file, err := os.Create("plan.txt")
	if err != nil {
		panic(err)
	}
	p := &plan{seats: map[string]int{}, file: file}
	until := time.Now().Add(2 * time.Second)
	var counters sync.WaitGroup
	for n := 0; n < 6; n++ {
		counters.Add(1)
		go func() {
			defer counters.Done()
			counter(p, n, until)
		}()
	}
	counters.Wait()
	fmt.Println(p.sold, "tickets")
}
