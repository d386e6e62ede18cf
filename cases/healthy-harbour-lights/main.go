// Runs the lights of a harbour entrance: each has a rhythm of its own, which the arguments give in milliseconds.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

type light struct {
	name   string
	rhythm time.Duration
	count  int
}

func (l *light) shine(done <-chan struct{}) {
	clock := time.NewTicker(l.rhythm)
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
			l.count++
		case <-done:
			return
		}
	}
}

func run(lights []*light, hours time.Duration) {
	done := make(chan struct{})
	var all sync.WaitGroup
	for _, one := range lights {
		all.Add(1)
		go func() {
			defer all.Done()
			one.shine(done)
		}()
	}
	time.Sleep(hours)
	close(done)
	all.Wait()
}

func main() {
	night := flag.Duration("night", time.Second, "how long the lights shine")
	flag.Parse()
	var lights []*light
	for n, text := range flag.Args() {
		rhythm, err := strconv.Atoi(text)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		lights = append(lights, &light{name: fmt.Sprintf("light %d", n), rhythm: time.Duration(rhythm) * time.Millisecond})
	}
	run(lights, *night)
	for _, one := range lights {
		fmt.Println(one.name, one.count)
	}
}
