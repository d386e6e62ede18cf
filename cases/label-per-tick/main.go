// A shop prints labels. Orders come in faster than this, but the print loop looks at its queue only when the clock
// ticks, and then takes one label.
package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"sync"
	"time"
)

type spooler struct {
	mutex   sync.Mutex
	labels  []string
	printed int
	longest int
}

func (s *spooler) submit(label string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.labels = append(s.labels, label)
	s.longest = max(s.longest, len(s.labels))
}

func (s *spooler) takeLabel() (string, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.labels) == 0 {
		return "", false
	}
	label := s.labels[0]
	s.labels = s.labels[1:]
	return label, true
}

func printLabel(out *os.File, label string) {
	fmt.Fprintf(out, "^XA^FD%s^FS^XZ %08x\n", label, crc32.ChecksumIEEE([]byte(label)))
}

func (s *spooler) printLabels(out *os.File, total int) time.Duration {
	var busy time.Duration
	for range time.Tick(50 * time.Millisecond) {
		before := time.Now()
		if label, found := s.takeLabel(); found {
			printLabel(out, label)
			s.printed++
		}
		busy += time.Since(before)
		if s.printed == total {
			break
		}
	}
	return busy
}

func main() {
	const total = 40
	out, err := os.Create("labels.zpl")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer out.Close()
	s := &spooler{}
	start := time.Now()
	go func() {
		for n := range total {
			s.submit(fmt.Sprintf("parcel %d", n))
			time.Sleep(time.Millisecond)
		}
	}()
	busy := s.printLabels(out, total)
	os.WriteFile("truth", fmt.Appendf(nil, "labels %d\nlongest_queue %d\nbusy %.4f\nseconds %.3f\n", s.printed, s.longest,
		busy.Seconds()/time.Since(start).Seconds(), time.Since(start).Seconds()), 0o644)
}
