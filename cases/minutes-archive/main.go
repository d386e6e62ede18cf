// Writes the minutes of a council into an archive, by a packer that reads them from a pipe.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

var writing time.Duration

func minutesOf(meeting int) []byte {
	text := make([]byte, 64<<10)
	state := uint32(meeting)*2654435761 + 1
	for n := range text {
		state = state*1664525 + 1013904223
		text[n] = "etaoin shrdlu,.\n"[state>>28]
	}
	return text
}

func archive(packer io.Writer, text []byte) error {
	before := time.Now()
	_, err := packer.Write(text)
	writing += time.Since(before)
	return err
}

func main() {
	start := time.Now()
	packer := exec.Command("xz", "-9", "-T1", "-c")
	file, err := os.Create("minutes.xz")
	if err != nil {
		panic(err)
	}
	packer.Stdout = file
	pipe, err := packer.StdinPipe()
	if err != nil {
		panic(err)
	}
	if err := packer.Start(); err != nil {
		panic(err)
	}
	meeting := 0
	for ; time.Since(start) < 1800*time.Millisecond; meeting++ {
		if err := archive(pipe, minutesOf(meeting)); err != nil {
			panic(err)
		}
	}
	pipe.Close()
	before := time.Now()
	packer.Wait()
	took := time.Since(start).Seconds()
	file.Close()
	os.Remove("minutes.xz")
	text := fmt.Sprintf("writing %.3f\nat_the_end %.3f\nmeetings %d\n", writing.Seconds()/took, time.Since(before).Seconds()/took, meeting)
	os.WriteFile("truth", []byte(text), 0o644)
}
