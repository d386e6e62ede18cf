// Simulates a container port, event by event: ships, cranes and lorries.
package main

import (
	"fmt"
	"math/rand"
	"time"
)

type event struct {
	at   float64
	kind uint8
	crane int16
}

// events is a heap, the earliest first.
type events []event

func (h *events) push(e event) {
	a := append(*h, e)
	i := len(a) - 1
	for i > 0 && a[(i-1)/2].at > e.at {
		a[i] = a[(i-1)/2]
		i = (i - 1) / 2
	}
	a[i] = e
	*h = a
}

func (h *events) pop() event {
	a := *h
	first, last := a[0], a[len(a)-1]
	a = a[:len(a)-1]
	i := 0
	for 2*i+1 < len(a) {
		c := 2*i + 1
		if c+1 < len(a) && a[c+1].at < a[c].at {
			c++
		}
		if a[c].at >= last.at {
			break
		}
		a[i] = a[c]
		i = c
	}
	if len(a) > 0 {
		a[i] = last
	}
	*h = a
	return first
}

const (
	shipArrives = iota
	boxLanded
	lorryLeaves
)

type port struct {
	queue   events
	rng     *rand.Rand
	waiting int
	yard    int
	idle    []int16
	busy    float64
	done    int
}

func newPort(seed int64, cranes int) *port {
	p := &port{rng: rand.New(rand.NewSource(seed)), queue: make(events, 0, 4096)}
	for i := 0; i < cranes; i++ {
		p.idle = append(p.idle, int16(i))
	}
	p.queue.push(event{at: 0, kind: shipArrives})
	return p
}

func (p *port) startCranes(now float64) {
	for p.waiting > 0 && len(p.idle) > 0 {
		c := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		p.waiting--
		lift := 1.5 + p.rng.ExpFloat64()
		p.busy += lift
		p.queue.push(event{now + lift, boxLanded, c})
	}
}

func (p *port) simulate(days float64) {
	for len(p.queue) > 0 {
		e := p.queue.pop()
		if e.at > days*1440 {
			return
		}
		switch e.kind {
		case shipArrives:
			p.waiting += 40 + p.rng.Intn(300)
			p.queue.push(event{at: e.at + 90*p.rng.ExpFloat64(), kind: shipArrives})
		case boxLanded:
			p.idle = append(p.idle, e.crane)
			p.yard++
			p.queue.push(event{at: e.at + 30 + 200*p.rng.ExpFloat64(), kind: lorryLeaves})
		case lorryLeaves:
			p.yard--
			p.done++
		}
		p.startCranes(e.at)
	}
}

func main() {
	begin := time.Now()
	seasons, boxes := 0, 0
	var busy float64
	for time.Since(begin) < 2*time.Second {
		p := newPort(int64(seasons), 6+seasons%4)
		p.simulate(30)
		boxes += p.done
		busy += p.busy
		seasons++
	}
	fmt.Printf("%d months, %d boxes, %.0f hours of lifting\n", seasons, boxes, busy/60)
}
