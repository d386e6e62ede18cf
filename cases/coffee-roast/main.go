// Plans the roasting of batches of coffee. Every roaster has a queue of its own, and a batch always goes to the same one.
package main

import (
	"fmt"
	"math"
	"os"
	"sync"
	"time"
)

const roasters = 2

type batch struct {
	number int
	kilos  float64
}

// curve computes the temperature at the end of a batch's roast, step by step.
func curve(b batch) float64 {
	bean, air := 20.0, 220.0
	for step := 0; step < 60_000; step++ {
		bean += (air - bean) * 0.0004 / math.Sqrt(b.kilos)
		air = 220 + 8*math.Sin(float64(step)/900)
	}
	return bean
}

func roast(queue <-chan batch, done *[roasters]int, me int, wait *sync.WaitGroup) {
	defer wait.Done()
	hottest := 0.0
	for b := range queue {
		hottest = math.Max(hottest, curve(b))
		done[me]++
	}
}

func main() {
	var queues [roasters]chan batch
	var done [roasters]int
	var wait sync.WaitGroup
	for n := range queues {
		queues[n] = make(chan batch, 64)
		wait.Add(1)
		go roast(queues[n], &done, n, &wait)
	}
	start := time.Now()
	// The numbers of batches end with the digit of the year.
	for number := 1004; time.Since(start) < 2*time.Second; number += 10 {
		queues[number%roasters] <- batch{number, 5 + float64(number%70)/10}
	}
	for _, queue := range queues {
		close(queue)
	}
	wait.Wait()
	text := fmt.Sprintf("roaster_0 %d\nroaster_1 %d\n", done[0], done[1])
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
