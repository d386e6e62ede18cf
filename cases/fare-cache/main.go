// fare-cache answers questions for fares: the shortest way is computed once for each pair of stations and kept.
package main

import (
	"container/heap"
	"container/list"
	"fmt"
	"time"
)

const stations = 600

type edge struct {
	to, minutes int32
}

type network struct{ edges [stations][]edge }

func build() *network {
	n := &network{}
	x := uint64(5)
	for s := int32(0); s < stations; s++ {
		for k := 0; k < 4; k++ {
			x = x*6364136223846793005 + 1442695040888963407
			t := int32(x>>33) % stations
			if t < 0 {
				t = -t
			}
			m := int32(x>>20&15) + 2
			n.edges[s] = append(n.edges[s], edge{t, m})
			n.edges[t] = append(n.edges[t], edge{s, m})
		}
	}
	return n
}

type item struct{ station, minutes int32 }
type front []item

func (f front) Len() int           { return len(f) }
func (f front) Less(i, j int) bool { return f[i].minutes < f[j].minutes }
func (f front) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *front) Push(v any)        { *f = append(*f, v.(item)) }
func (f *front) Pop() any {
	old := *f
	v := old[len(old)-1]
	*f = old[:len(old)-1]
	return v
}

func (n *network) ways(from int32) *[stations]int32 {
	var best [stations]int32
	for i := range best {
		best[i] = 1 << 30
	}
	best[from] = 0
	f := front{{from, 0}}
	for len(f) > 0 {
		v := heap.Pop(&f).(item)
		if v.minutes > best[v.station] {
			continue
		}
		for _, e := range n.edges[v.station] {
			if d := v.minutes + e.minutes; d < best[e.to] {
				best[e.to] = d
				heap.Push(&f, item{e.to, d})
			}
		}
	}
	return &best
}

type entry struct {
	from int32
	best *[stations]int32
}

// cache keeps the ways from the stations that were used last.
type cache struct {
	n     *network
	room  int
	order *list.List
	at    map[int32]*list.Element
	made  int
}

func (c *cache) minutes(from, to int32) int32 {
	if e, ok := c.at[from]; ok {
		c.order.MoveToFront(e)
		return e.Value.(*entry).best[to]
	}
	if c.order.Len() >= c.room {
		last := c.order.Back()
		delete(c.at, last.Value.(*entry).from)
		c.order.Remove(last)
	}
	c.made++
	e := &entry{from, c.n.ways(from)}
	c.at[from] = c.order.PushFront(e)
	return e.best[to]
}

func main() {
	end := time.Now().Add(2 * time.Second)
	c := &cache{n: build(), room: stations, order: list.New(), at: map[int32]*list.Element{}}
	asked, sum := 0, 0
	x := uint64(8)
	for time.Now().Before(end) {
		for i := 0; i < 2000; i++ {
			x = x*6364136223846793005 + 1442695040888963407
			m := c.minutes(int32(x>>34)%stations, int32(x>>20&0xffff)%stations)
			sum += 180 + int(m)*12
			asked++
		}
	}
	fmt.Printf("%d fares, %d searches, mean %d\n", asked, c.made, sum/asked)
}
