// Packs a folder of mails into one archive of compressed parts. One worker per CPU compresses; the parts are written
// in the order of the files.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

type part struct {
	name string
	done chan []byte
}

func compressFile(name string) []byte {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var out bytes.Buffer
	packer := gzip.NewWriter(&out)
	packer.Name = name
	packer.Write(text)
	packer.Close()
	return out.Bytes()
}

func worker(parts <-chan part) {
	for p := range parts {
		p.done <- compressFile(p.name)
	}
}

func main() {
	start := time.Now()
	names, _ := filepath.Glob("mails/*.mbox")
	work, order := make(chan part, len(names)), make(chan part, len(names))
	for _, name := range names {
		p := part{name, make(chan []byte, 1)}
		work <- p
		order <- p
	}
	close(work)
	close(order)
	for range runtime.NumCPU() {
		go worker(work)
	}
	archive, err := os.Create("mails.gz")
	if err != nil {
		panic(err)
	}
	written := 0
	for p := range order {
		n, _ := archive.Write(<-p.done)
		written += n
	}
	archive.Close()
	took := time.Since(start)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	os.WriteFile("truth", fmt.Appendf(nil, "cpus %.2f\nfiles %d\nbytes %d\n",
		float64(used.Utime.Nano()+used.Stime.Nano())/float64(took), len(names), written), 0o644)
}
