// Gives out the seats of trains. Once in a while it counts which are free, for a statistic.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

const trains, seats = 400, 600

type plan struct {
	lock  sync.Mutex
	taken [trains][seats]uint32
}

//go:noinline
func (p *plan) takeSeat(train, passenger uint32) int {
	p.lock.Lock()
	defer p.lock.Unlock()
	row := &p.taken[train%trains]
	for n := range row {
		if row[n] == 0 {
			row[n] = passenger + 1
			return n + 1
		}
	}
	clear(row[:])
	return 0
}

//go:noinline
func (p *plan) countFree() (free uint32) {
	p.lock.Lock()
	defer p.lock.Unlock()
	until := time.Now().Add(120 * time.Millisecond)
	for time.Now().Before(until) {
		for t := range p.taken {
			for s := range p.taken[t] {
				if p.taken[t][s] == 0 {
					free = free*31 + uint32(s)
				}
			}
		}
	}
	return free
}

func (p *plan) serve(client net.Conn) {
	defer client.Close()
	lines := bufio.NewScanner(client)
	for lines.Scan() {
		var train, passenger uint32
		fmt.Sscanf(lines.Text(), "seat %d %d", &train, &passenger)
		fmt.Fprintln(client, p.takeSeat(train, passenger))
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	p := &plan{}
	os.WriteFile("port", []byte(fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)), 0o644)
	os.WriteFile("ready", nil, 0o644)
	go func() {
		for {
			p.countFree()
			time.Sleep(10 * time.Millisecond)
		}
	}()
	for {
		client, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		go p.serve(client)
	}
}
