// Goroutines that wait for each other, for time and for a connection; each function that waits adds up for how
// long it did, and the sums are printed in the end.
package main

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const runs = 3 * time.Second

var (
	start time.Time
	mutex sync.Mutex
	cond  = sync.NewCond(&sync.Mutex{})
	sums  = map[string]*atomic.Int64{}
)

func isOver() bool { return time.Since(start) > runs }

// add is called with the time at which a wait began.
func add(name string, before time.Time) { sums[name].Add(int64(time.Since(before))) }

//go:noinline
func queueForMutex() { mutex.Lock() }

//go:noinline
func napWithMutex() { time.Sleep(3 * time.Millisecond) }

//go:noinline
func send(to chan<- int) { to <- 1 }

//go:noinline
func receive(from <-chan int) { <-from }

//go:noinline
func choose(from, other <-chan int) {
	select {
	case <-from:
	case <-other:
	}
}

//go:noinline
func waitForSignal() { cond.Wait() }

//go:noinline
func takeSeat(seats chan<- struct{}) { seats <- struct{}{} }

//go:noinline
func nap(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }

//go:noinline
func readReply(from net.Conn, into []byte) { from.Read(into) }

//go:noinline
func waitForAll(group *sync.WaitGroup) { group.Wait() }

// measured adds the time of one call to a sum.
func measured(name string, call func()) {
	before := time.Now()
	call()
	add(name, before)
}

func serve(listener net.Listener) {
	client, err := listener.Accept()
	if err != nil {
		panic(err)
	}
	request := make([]byte, 1)
	for {
		if _, err := client.Read(request); err != nil {
			return
		}
		time.Sleep(6 * time.Millisecond)
		client.Write(request)
	}
}

func main() {
	// The recorder needs a moment to find the program.
	time.Sleep(time.Second)
	for _, name := range []string{"queueForMutex", "napWithMutex", "send", "receive", "choose", "waitForSignal", "takeSeat",
		"nap", "readReply", "waitForAll"} {
		sums[name] = new(atomic.Int64)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serve(listener)
	server, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		panic(err)
	}
	start = time.Now()
	var group sync.WaitGroup
	run := func(work func()) {
		group.Add(1)
		go func() {
			defer group.Done()
			for !isOver() {
				work()
			}
		}()
	}
	for n := 0; n < 4; n++ {
		run(func() {
			measured("queueForMutex", queueForMutex)
			measured("napWithMutex", napWithMutex)
			mutex.Unlock()
		})
	}
	items, never := make(chan int), make(chan int)
	for n := 0; n < 2; n++ {
		run(func() { measured("send", func() { send(items) }) })
	}
	go func() {
		for {
			time.Sleep(4 * time.Millisecond)
			<-items
		}
	}()
	ticks, turns := make(chan int), make(chan int)
	for _, to := range []chan int{ticks, turns} {
		go func(to chan int) {
			for {
				time.Sleep(8 * time.Millisecond)
				to <- 1
			}
		}(to)
	}
	run(func() { measured("receive", func() { receive(ticks) }) })
	run(func() { measured("choose", func() { choose(turns, never) }) })
	go func() {
		for {
			time.Sleep(10 * time.Millisecond)
			cond.Broadcast()
		}
	}()
	run(func() {
		cond.L.Lock()
		measured("waitForSignal", waitForSignal)
		cond.L.Unlock()
	})
	seats := make(chan struct{}, 1)
	for n := 0; n < 3; n++ {
		run(func() {
			measured("takeSeat", func() { takeSeat(seats) })
			measured("nap", func() { nap(5) })
			<-seats
		})
	}
	reply := make([]byte, 1)
	run(func() {
		server.Write(reply)
		measured("readReply", func() { readReply(server, reply) })
	})
	measured("waitForAll", func() { waitForAll(&group) })
	for name, sum := range sums {
		fmt.Println(name, sum.Load()/1e6)
	}
}
