// Fetches a few thumbnails from a photo server, one after the other.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func fetchThumbnail(base string, number int) (int, time.Duration) {
	before := time.Now()
	answer, err := http.Get(fmt.Sprintf("%s/thumb/%d", base, number))
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	return len(body), time.Since(before)
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	base := "http://127.0.0.1:" + strings.TrimSpace(string(port))
	start := time.Now()
	var lines []string
	for n := 0; n < 4; n++ {
		size, took := fetchThumbnail(base, 1+n%2)
		lines = append(lines, fmt.Sprintf("fetch_%d %.4f (%d bytes)", n, took.Seconds(), size))
	}
	lines = append(lines, fmt.Sprintf("all %.3f", time.Since(start).Seconds()))
	os.WriteFile("truth", []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
