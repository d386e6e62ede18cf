// Stores the points of a few hundred sensors: averages them per minute, encodes the differences, and appends the
// blocks to segment files.
package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"time"
)

const sensors = 300

type segment struct {
	file   *os.File
	number int
	size   int
}

func (s *segment) appendBlock(block []byte) error {
	if s.file == nil || s.size > 1<<20 {
		if s.file != nil {
			s.file.Close()
		}
		file, err := os.Create(fmt.Sprintf("volume/points.%d", s.number%8))
		if err != nil {
			return err
		}
		s.file, s.size = file, 0
		s.number++
	}
	n, err := s.file.Write(block)
	s.size += n
	return err
}

func sample(sensor, minute int) []float64 {
	values := make([]float64, 60)
	for i := range values {
		values[i] = 20 + 5*math.Sin(float64(minute*60+i)/500+float64(sensor)) + math.Cos(float64(i*sensor))/10
	}
	return values
}

func encode(block []byte, values []float64) []byte {
	var before int64
	for _, value := range values {
		fixed := int64(value * 1000)
		block = binary.AppendVarint(block, fixed-before)
		before = fixed
	}
	return block
}

func main() {
	start := time.Now()
	var store segment
	var appending time.Duration
	minutes := 0
	for time.Since(start) < 2*time.Second {
		var block []byte
		for sensor := 0; sensor < sensors; sensor++ {
			block = encode(block, sample(sensor, minutes))
		}
		before := time.Now()
		if err := store.appendBlock(block); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		appending += time.Since(before)
		minutes++
	}
	share := appending.Seconds() / time.Since(start).Seconds()
	fmt.Printf("%d minutes stored, %.2f of the time in appendBlock\n", minutes, share)
	os.WriteFile("truth", []byte(fmt.Sprintf("share %.3f\n", share)), 0o644)
}
