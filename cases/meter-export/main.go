// Exports the readings of a town's electricity meters, with what each household has to pay.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// The size of the buffer of an export.
const bufferSize = 64

type reading struct {
	meter, quarter int
	kwh            float64
}

type tariff struct{ base, perKwh float64 }

func (t tariff) price(r reading) float64 {
	return t.base + t.perKwh*r.kwh
}

func next(n int) reading {
	return reading{meter: n * 7919 % 30011, quarter: n % 4, kwh: float64(n*31%9000) / 10}
}

type export struct {
	file *os.File
	out  *bufio.Writer
}

func open(path string) *export {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	return &export{file: file, out: bufio.NewWriterSize(file, bufferSize)}
}

func (e *export) write(r reading, price float64) {
	row := e.out.AvailableBuffer()
	row = append(strconv.AppendInt(row, int64(r.meter), 10), ';')
	row = append(strconv.AppendInt(row, int64(r.quarter), 10), ';')
	row = append(strconv.AppendFloat(row, r.kwh, 'f', 1, 64), ';')
	row = append(strconv.AppendFloat(row, price, 'f', 2, 64), '\n')
	if _, err := e.out.Write(row); err != nil {
		panic(err)
	}
}

func (e *export) close() {
	e.out.Flush()
	e.file.Close()
}

func main() {
	start := time.Now()
	t := tariff{base: 11.5, perKwh: 0.31}
	e := open("export.csv")
	rows := 0
	for rows%1000 != 0 || time.Since(start) < 2*time.Second {
		r := next(rows)
		e.write(r, t.price(r))
		rows++
	}
	e.close()
	wall := time.Since(start)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	truth := fmt.Sprintf("rows %d\nsystem %.3f\n", rows, time.Duration(used.Stime.Nano()).Seconds()/wall.Seconds())
	os.WriteFile("truth", []byte(truth), 0o644)
}
