// Tells the kennel every fifth of a second which dog is out, until the evening; dogs come and go by a list of times.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type walk struct {
	dog         string
	leave, back time.Duration
}

var walks = []walk{
	{"Rex", 150 * time.Millisecond, 900 * time.Millisecond},
	{"Luna", 400 * time.Millisecond, 1300 * time.Millisecond},
	{"Bello", 1000 * time.Millisecond, 1900 * time.Millisecond},
}

type event struct {
	dog string
	out bool
}

func main() {
	events := make(chan event)
	var dogs sync.WaitGroup
	for _, w := range walks {
		dogs.Add(1)
		go func() {
			defer dogs.Done()
			time.Sleep(w.leave)
			events <- event{w.dog, true}
			time.Sleep(w.back - w.leave)
			events <- event{w.dog, false}
		}()
	}
	evening := make(chan struct{})
	go func() {
		dogs.Wait()
		close(evening)
	}()
	board := time.NewTicker(200 * time.Millisecond)
	defer board.Stop()
	out := map[string]bool{}
	shown := 0
	for {
		select {
		case e := <-events:
			if e.out {
				out[e.dog] = true
			} else {
				delete(out, e.dog)
			}
		case <-board.C:
			shown++
			fmt.Printf("%d dogs out\n", len(out))
		case <-evening:
			os.WriteFile("truth", []byte(fmt.Sprintf("shown %d\n", shown)), 0o644)
			return
		}
	}
}
