// Rolls out the settings of a gateway: each changed file is announced, and applied once its changes have settled.
package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"
)

const settle = 120 * time.Millisecond

type change struct {
	path string
	at   time.Time
}

type reloader struct {
	changes chan change
	applied int
	sum     uint32
	quiet   time.Duration
}

func writeSettings(folder string, changes chan<- change) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i := 0; ; i++ {
		path := filepath.Join(folder, fmt.Sprintf("route%02d.conf", i%16))
		text := fmt.Sprintf("upstream 10.0.0.%d\nweight %d\n", i%250, i*7%100)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		changes <- change{path, time.Now()}
	}
}

func (r *reloader) awaitQuiet(first change) change {
	before := time.Now()
	defer func() { r.quiet += time.Since(before) }()
	same := make(chan change)
	last := first
	for {
		select {
		case last = <-same:
		case <-time.After(settle):
			return last
		}
	}
}

func (r *reloader) apply(c change) error {
	text, err := os.ReadFile(c.path)
	if err != nil {
		return err
	}
	r.sum = crc32.Update(r.sum, crc32.IEEETable, text)
	r.applied++
	return nil
}

func main() {
	r := &reloader{changes: make(chan change, 1)}
	go writeSettings("routes.d", r.changes)
	start := time.Now()
	for time.Since(start) < 2*time.Second {
		if err := r.apply(r.awaitQuiet(<-r.changes)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("share %.3f\napplied %d\n", r.quiet.Seconds()/time.Since(start).Seconds(), r.applied)), 0o644)
	fmt.Printf("%d applied, %08x\n", r.applied, r.sum)
}
