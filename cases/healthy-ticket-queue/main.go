// A ticket machine: four clerks wait for customers, who come now and then; a lock is held for as long as it takes to
// count.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type counter struct {
	mutex  sync.Mutex
	served map[int]int
}

func (c *counter) add(clerk int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.served[clerk]++
}

func serve(clerk int, customers <-chan int, done *sync.WaitGroup, c *counter) {
	defer done.Done()
	for range customers {
		c.add(clerk)
	}
}

func main() {
	customers := make(chan int)
	count := &counter{served: map[int]int{}}
	var done sync.WaitGroup
	for clerk := 0; clerk < 4; clerk++ {
		done.Add(1)
		go serve(clerk, customers, &done, count)
	}
	for customer := 0; customer < 40; customer++ {
		time.Sleep(50 * time.Millisecond)
		customers <- customer
	}
	close(customers)
	done.Wait()
	all := 0
	for _, n := range count.served {
		all += n
	}
	if err := os.WriteFile("truth", []byte(fmt.Sprintf("customers %d\n", all)), 0o644); err != nil {
		panic(err)
	}
}
