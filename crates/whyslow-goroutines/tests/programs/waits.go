// Has goroutines wait for everything that they can wait for, and writes down what each waits for and where,
// as the runtime itself tells it. It stays so until its input ends.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

var (
	mutex    sync.Mutex
	readers  sync.RWMutex
	cond     = sync.NewCond(&sync.Mutex{})
	group    sync.WaitGroup
	empty    = make(chan int)
	never    = make(chan int)
	seats    = make(chan struct{}, 1)
	depth    = 30
	listener net.Listener
)

//go:noinline
func waitForMutex() { mutex.Lock() }

//go:noinline
func waitForReaders() { readers.Lock() }

//go:noinline
func waitForCondition() {
	cond.L.Lock()
	cond.Wait()
}

//go:noinline
func waitForOthers() { group.Wait() }

//go:noinline
func receive() { <-empty }

//go:noinline
func takeSeat() { seats <- struct{}{} }

//go:noinline
func choose() {
	select {
	case <-empty:
	case <-never:
	}
}

//go:noinline
func nap() { time.Sleep(time.Hour) }

//go:noinline
func accept() { listener.Accept() }

//go:noinline
func deep(n int) int {
	if n == 0 {
		nap()
		return 0
	}
	var room [64]int
	room[n%64] = deep(n - 1)
	return room[(n*7)%64] + 1
}

func main() {
	var err error
	if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		panic(err)
	}
	mutex.Lock()
	readers.RLock()
	group.Add(1)
	waits := []func(){waitForMutex, waitForMutex, waitForReaders, waitForCondition, waitForOthers, receive,
		choose, nap, accept, func() { deep(depth) }}
	for _, wait := range waits {
		go wait()
	}
	time.Sleep(50 * time.Millisecond)
	seats <- struct{}{}
	go takeSeat()
	// Those that ended are not told.
	for range waits {
		go func() {}()
	}
	text := make([]byte, 1<<20)
	for tries := 0; tries < 500; tries++ {
		time.Sleep(20 * time.Millisecond)
		dump := string(text[:runtime.Stack(text, true)])
		if !strings.Contains(dump, "[runnable") && strings.Count(dump, "main.takeSeat()") > 0 {
			fmt.Printf("%s\n\nend\n", dump)
			break
		}
	}
	io.Copy(io.Discard, os.Stdin)
}
