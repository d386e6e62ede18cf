// A map server: tiles are rendered when somebody wants them, and kept in a cache.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type key struct{ zoom, x, y int }

type tileCache struct {
	mutex sync.Mutex
	tiles map[key][]byte
}

var waited atomic.Int64

//go:noinline
func renderTile(k key) []byte {
	tile := make([]byte, 128*128)
	for y := range 128 {
		for x := range 128 {
			height := uint32(k.x*128+x)*2654435761 ^ uint32(k.y*128+y)*40503
			for range 12 * k.zoom {
				height = height*1664525 + 1013904223 ^ height>>13
			}
			tile[y*128+x] = byte(height >> 24)
		}
	}
	return tile
}

func (c *tileCache) tile(k key) []byte {
	before := time.Now()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	waited.Add(int64(time.Since(before)))
	if tile, known := c.tiles[k]; known {
		return tile
	}
	tile := renderTile(k)
	c.tiles[k] = tile
	return tile
}

func serveVisitor(cache *tileCache, visitor int, until time.Time) (tiles int) {
	for ; time.Now().Before(until); tiles++ {
		cache.tile(key{14, visitor*1000 + tiles%40, tiles / 40})
	}
	return tiles
}

func main() {
	cache := &tileCache{tiles: map[key][]byte{}}
	start := time.Now()
	var visitors sync.WaitGroup
	var served atomic.Int64
	for n := range 8 {
		visitors.Add(1)
		go func() {
			defer visitors.Done()
			served.Add(int64(serveVisitor(cache, n, start.Add(2*time.Second))))
		}()
	}
	visitors.Wait()
	took := time.Since(start)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	os.WriteFile("truth", fmt.Appendf(nil, "cpus %.2f\ngoroutines_waiting %.2f\ntiles %d\n",
		float64(used.Utime.Nano()+used.Stime.Nano())/float64(took), float64(waited.Load())/float64(took), served.Load()), 0o644)
}
