// Renders the tiles of a reef's chart: two workers take them from a queue, and a collector puts them together.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"runtime"
	"sync"
	"time"
)

type Tile struct {
	X, Y   int
	Pixels []byte
}

func depth(x, y float64) float64 {
	d := 0.0
	for octave, scale := 0, 1.0; octave < 5; octave++ {
		d += math.Sin(x*scale)*math.Cos(y*scale*1.3) / scale
		scale *= 2.1
	}
	return d
}

func shade(d float64) byte {
	return byte(math.Max(0, math.Min(255, 128+d*64)))
}

func outline(pixels []byte, side int) int {
	edges := 0
	for y := 1; y < side; y++ {
		for x := 1; x < side; x++ {
			if (pixels[y*side+x] > 128) != (pixels[y*side+x-1] > 128) {
				edges++
			}
		}
	}
	return edges
}

func render(t *Tile, side int) {
	t.Pixels = t.Pixels[:0]
	for y := 0; y < side; y++ {
		for x := 0; x < side; x++ {
			t.Pixels = append(t.Pixels, shade(depth(float64(t.X*side+x)/90, float64(t.Y*side+y)/90)))
		}
	}
}

func main() {
	const side = 96
	workers := runtime.GOMAXPROCS(0)
	todo := make(chan *Tile, 16)
	done := make(chan *Tile, 16)
	spare := sync.Pool{New: func() any { return &Tile{Pixels: make([]byte, 0, side*side)} }}
	end := time.Now().Add(2 * time.Second)
	go func() {
		for n := 0; time.Now().Before(end); n++ {
			t := spare.Get().(*Tile)
			t.X, t.Y = n%40, n/40
			todo <- t
		}
		close(todo)
	}()
	var group sync.WaitGroup
	for w := 0; w < workers; w++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for t := range todo {
				render(t, side)
				done <- t
			}
		}()
	}
	go func() {
		group.Wait()
		close(done)
	}()
	file, err := os.Create("chart.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := bufio.NewWriterSize(file, 1<<16)
	tiles, edges := 0, 0
	for t := range done {
		h := fnv.New32a()
		h.Write(t.Pixels)
		e := outline(t.Pixels, side)
		fmt.Fprintf(out, "%d %d %08x %d\n", t.X, t.Y, h.Sum32(), e)
		tiles++
		edges += e
		spare.Put(t)
	}
	out.Flush()
	file.Close()
	fmt.Println(tiles, "tiles,", edges, "edges")
}
