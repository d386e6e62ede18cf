// weather-fetch runs a script for each station, which may take no longer than a limit.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

type station struct {
	name string
	id   int
}

// fetch runs the script of a station; it is killed after the limit.
func fetch(s station, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	script := fmt.Sprintf("echo %s; \"$CASE_BIN/modem\" %d; echo done", s.name, s.id)
	out, err := exec.CommandContext(ctx, "sh", "-c", script).CombinedOutput()
	return string(out), err
}

func main() {
	start := time.Now()
	stations := []station{{"Helgoland", 15}, {"Norderney", 22}, {"Fehmarn", 31}, {"Ruegen", 40}}
	var fetching time.Duration
	failed, n := 0, 0
	for time.Since(start) < 2*time.Second {
		s := stations[n%len(stations)]
		n++
		t := time.Now()
		text, err := fetch(s, 50*time.Millisecond)
		fetching += time.Since(t)
		if err != nil {
			failed++
			fmt.Printf("%s: %v after %d letters\n", s.name, err, len(text))
		}
	}
	share := fetching.Seconds() / time.Since(start).Seconds()
	os.WriteFile("truth", []byte(fmt.Sprintf("share %.3f\nfailed %d of %d\n", share, failed, n)), 0o644)
}
