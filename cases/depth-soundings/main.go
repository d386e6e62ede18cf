// Adds up the soundings of a survey ship, which lie in a file as records of sixteen bytes.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"
)

type sounding struct {
	Second uint32
	Lat    float32
	Lon    float32
	Depth  float32
}

const records = 400_000

func writeSurvey(name string) error {
	data := make([]byte, 0, records*16)
	for i := 0; i < records; i++ {
		data = binary.LittleEndian.AppendUint32(data, uint32(i))
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(54+float32(i%900)/1000))
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(8+float32(i%700)/1000))
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i*7%400)/10))
	}
	return os.WriteFile(name, data, 0o644)
}

type cell struct{ lat, lon int }

func (s sounding) cell() cell { return cell{int(s.Lat * 50), int(s.Lon * 50)} }

// pressure corrects a depth by the density of the water above it, metre by metre.
func pressure(depth float32) float64 {
	p := 1013.0
	for d := float32(0); d < depth; d++ {
		p += 98.1 * (1.025 + math.Sqrt(float64(d))*0.0001)
	}
	return p
}

func addUp(name string, cells map[cell]float64, until time.Time) (int, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n := 0
	for ; n%1000 != 0 || time.Now().Before(until); n++ {
		var s sounding
		err := binary.Read(f, binary.LittleEndian, &s)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return n, err
		}
		c := s.cell()
		cells[c] = math.Max(cells[c], pressure(s.Depth))
	}
	return n, nil
}

func main() {
	if err := writeSurvey("survey.bin"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	cells := map[cell]float64{}
	until := time.Now().Add(2 * time.Second)
	total := 0
	for time.Now().Before(until) {
		n, err := addUp("survey.bin", cells, until)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		total += n
	}
	fmt.Println(total, "soundings in", len(cells), "cells")
}
