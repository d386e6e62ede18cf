// Reads the measurements of a station, and prints the extremes and a histogram.
package main

import (
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"time"
)

type summary struct {
	count     int
	min, max  int
	histogram map[int]int
}

func newSummary() *summary {
	return &summary{min: 1 << 30, max: -1 << 30, histogram: map[int]int{}}
}

func (s *summary) add(station, value int) {
	s.count++
	s.min = min(s.min, value)
	s.max = max(s.max, value)
	s.histogram[value/50+station%3]++
}

func readMeasurement(in io.Reader) (station, value int, err error) {
	_, err = fmt.Fscan(in, &station, &value)
	return station, value, err
}

func summarize(in io.Reader, until time.Time) (*summary, error) {
	s := newSummary()
	for time.Now().Before(until) {
		station, value, err := readMeasurement(in)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		s.add(station, value)
	}
	return s, nil
}

func (s *summary) print(out io.Writer) {
	classes := make([]int, 0, len(s.histogram))
	for class := range s.histogram {
		classes = append(classes, class)
	}
	sort.Ints(classes)
	fmt.Fprintln(out, "from", s.min, "to", s.max)
	for _, class := range classes {
		fmt.Fprintln(out, class, strings.Repeat("*", s.histogram[class]*60/s.count))
	}
}

func run() error {
	file, err := os.Open("measurements.txt")
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := summarize(file, time.Now().Add(2200*time.Millisecond))
	if err != nil {
		return err
	}
	out, err := os.Create("summary.txt")
	if err != nil {
		return err
	}
	defer out.Close()
	s.print(out)
	return os.WriteFile("truth", []byte(fmt.Sprintf("measurements %d\n", s.count)), 0o644)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
