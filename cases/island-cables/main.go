// island-cables finds out which islands are in one network when cables are laid one after the other.
package main

import (
	"fmt"
	"time"
)

// networks joins islands: each points to another one in its network, or to itself.
type networks struct {
	parent []int32
	joined int
}

func newNetworks(n int) *networks {
	w := &networks{parent: make([]int32, n)}
	for i := range w.parent {
		w.parent[i] = int32(i)
	}
	return w
}

//go:noinline
func (w *networks) find(i int32) int32 {
	for w.parent[i] != i {
		i = w.parent[i]
	}
	return i
}

func (w *networks) lay(from, to int32) bool {
	a, b := w.find(from), w.find(to)
	if a == b {
		return false
	}
	w.parent[a] = b
	w.joined++
	return true
}

type plan struct {
	state uint64
	at    int32
	n     int32
}

// next is the next cable: most go on along the coast, some back to an island that has one already.
func (p *plan) next() (int32, int32) {
	p.state = p.state*6364136223846793005 + 1442695040888963407
	if p.state>>60 < 5 && p.at > 100 {
		return int32(p.state>>33) % p.at, int32(p.state>>20&0xffffff) % p.at
	}
	p.at++
	return p.at - 1, p.at
}

func main() {
	end := time.Now().Add(2 * time.Second)
	const islands = 400000
	w := newNetworks(islands)
	p := &plan{state: 2, n: islands}
	cables, spare := 0, 0
	for time.Now().Before(end) && p.at < islands-2 {
		for i := 0; i < 8; i++ {
			if !w.lay(p.next()) {
				spare++
			}
			cables++
		}
	}
	fmt.Printf("%d cables, %d of them spare, %d islands joined\n", cables, spare, w.joined)
}
