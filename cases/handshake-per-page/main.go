// Mirrors the pages of a wiki over HTTPS, and makes an index of their words.
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"
)

var (
	fetches    int
	fetchingNs int64
)

// client is made for every page, so that no page shares anything with another.
func client() *http.Client {
	return &http.Client{
		Timeout: 10 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
			DisableKeepAlives: true,
		},
	}
}

func fetchPage(address string, number int) (string, error) {
	before := time.Now()
	defer func() { fetches++; fetchingNs += time.Since(before).Nanoseconds() }()
	reply, err := client().Get(fmt.Sprintf("https://%s/page/%d", address, number))
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	return string(text), err
}

func indexWords(index map[string][]int, number int, text string) {
	seen := map[string]bool{}
	for _, word := range strings.Fields(text) {
		word = strings.ToLower(strings.Trim(word, ".,;"))
		if !seen[word] {
			seen[word] = true
			index[word] = append(index[word], number)
		}
	}
}

func writeIndex(index map[string][]int) error {
	words := make([]string, 0, len(index))
	for word := range index {
		words = append(words, word)
	}
	sort.Strings(words)
	var out strings.Builder
	for _, word := range words {
		fmt.Fprintln(&out, word, len(index[word]))
	}
	return os.WriteFile("index.txt", []byte(out.String()), 0o644)
}

func mirror(address string) error {
	index := map[string][]int{}
	start := time.Now()
	for number := 0; time.Since(start) < 2200*time.Millisecond; number++ {
		text, err := fetchPage(address, number)
		if err != nil {
			return err
		}
		indexWords(index, number, text)
	}
	wall := time.Since(start)
	truth := fmt.Sprintf("pages %d\nfetching %.3f\nms_each %.3f\n", fetches,
		float64(fetchingNs)/float64(wall.Nanoseconds()), float64(fetchingNs)/1e6/float64(fetches))
	if err := os.WriteFile("truth", []byte(truth), 0o644); err != nil {
		return err
	}
	return writeIndex(index)
}

func main() {
	address, err := os.ReadFile("ready")
	if err == nil {
		err = mirror(strings.TrimSpace(string(address)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
