// A worker that takes the calls of plovers from the queue of a field station, finds out which bird it was, and reports.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

type call struct {
	number  string
	pitches []string
}

func birdOf(c call) string {
	high := 0
	for _, pitch := range c.pitches {
		if len(pitch) > 3 {
			high++
		}
	}
	if high*2 > len(c.pitches) {
		return "little ringed plover"
	}
	return "golden plover"
}

func main() {
	queue, err := net.Dial("unix", "station.sock")
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(queue)
	reports := make(chan string, 16)
	done := make(chan int)
	go func() {
		sent := 0
		for report := range reports {
			fmt.Fprintf(queue, "%s\n", report)
			sent++
		}
		done <- sent
	}()
	var busy time.Duration
	start := time.Now()
	for lines.Scan() {
		before := time.Now()
		words := strings.Fields(lines.Text())
		if words[0] == "end" {
			break
		}
		reports <- words[0] + " " + birdOf(call{words[0], words[1:]})
		busy += time.Since(before)
	}
	close(reports)
	sent := <-done
	os.WriteFile("truth", []byte(fmt.Sprintf("calls %d\nbusy %.4f\n", sent, busy.Seconds()/time.Since(start).Seconds())), 0o644)
}
