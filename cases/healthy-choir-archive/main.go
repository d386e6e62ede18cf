// Packs the recordings of a choir: blocks are compared by their checksums, and new ones are compressed,
// on all CPUs, with compressors that are kept.
package main

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"time"
)

const blockSize = 1 << 16

type archive struct {
	mutex  sync.Mutex
	blocks map[[32]byte]int
	stored int
}

func (a *archive) isNew(sum [32]byte, size int) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if _, known := a.blocks[sum]; known {
		return false
	}
	a.blocks[sum] = size
	return true
}

func (a *archive) add(size int) {
	a.mutex.Lock()
	a.stored += size
	a.mutex.Unlock()
}

func fill(block []byte, serial uint64) {
	state := serial*2862933555777941757 + 3037000493
	for i := 0; i+8 <= len(block); i += 8 {
		if i%32 == 0 {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
		}
		binary.LittleEndian.PutUint64(block[i:], state&0x0f0f0f0f0f0f0f0f)
	}
}

func pack(a *archive, worker uint64, end time.Time) int {
	block := make([]byte, blockSize)
	var out bytes.Buffer
	compressor, _ := flate.NewWriter(&out, flate.DefaultCompression)
	blocks := 0
	for serial := worker; time.Now().Before(end); serial += 1000 {
		fill(block, serial-serial%3000)
		blocks++
		if !a.isNew(sha256.Sum256(block), len(block)) {
			continue
		}
		out.Reset()
		compressor.Reset(&out)
		compressor.Write(block)
		compressor.Close()
		a.add(out.Len())
	}
	return blocks
}

func main() {
	end := time.Now().Add(2 * time.Second)
	a := &archive{blocks: map[[32]byte]int{}}
	counts := make(chan int)
	workers := runtime.NumCPU()
	for w := 0; w < workers; w++ {
		go func() { counts <- pack(a, uint64(w), end) }()
	}
	total := 0
	for w := 0; w < workers; w++ {
		total += <-counts
	}
	fmt.Println(total, "blocks,", len(a.blocks), "different,", a.stored, "bytes stored")
}
