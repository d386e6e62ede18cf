// Sends the pages of a travel guide, packed. There are four pages, and many visitors.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"time"
)

var packing time.Duration

func page(number int) []byte {
	var text bytes.Buffer
	for n := 0; n < 6000; n++ {
		fmt.Fprintf(&text, "<p>Sight %d of town %d is open until %d o'clock.</p>\n", n*7919%1000, number, n%9+12)
	}
	return text.Bytes()
}

func pack(page []byte) []byte {
	var packed bytes.Buffer
	before := time.Now()
	writer, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	writer.Write(page)
	writer.Close()
	packing += time.Since(before)
	return packed.Bytes()
}

func visit(pages [][]byte, visitor int) int {
	return len(pack(pages[visitor%len(pages)]))
}

func main() {
	var pages [][]byte
	for number := range 4 {
		pages = append(pages, page(number))
	}
	start, visitors, sent := time.Now(), 0, 0
	for ; time.Since(start) < 2*time.Second; visitors++ {
		sent += visit(pages, visitors)
	}
	text := fmt.Sprintf("packing %.3f\nvisitors %d\nsent %d\n", packing.Seconds()/time.Since(start).Seconds(), visitors, sent)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
