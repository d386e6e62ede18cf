// Sends readings of sensors to a collector, field by field and byte by byte.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

type reading struct {
	sensor uint32
	at     uint64
	value  uint8
}

var writes int

func sendByte(out io.Writer, b byte) {
	if _, err := out.Write([]byte{b}); err != nil {
		panic(err)
	}
	writes++
}

func sendReading(out io.Writer, r reading) {
	for shift := 0; shift < 32; shift += 8 {
		sendByte(out, byte(r.sensor>>shift))
	}
	for shift := 0; shift < 64; shift += 8 {
		sendByte(out, byte(r.at>>shift))
	}
	sendByte(out, r.value)
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	address := "127.0.0.1:" + strings.TrimSpace(string(port))
	server, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	start := time.Now()
	readings := 0
	for time.Since(start) < 2*time.Second {
		sendReading(server, reading{uint32(readings % 50), uint64(start.UnixNano()), uint8(readings)})
		readings++
	}
	took, calls := time.Since(start), writes
	before := time.Now()
	buffered := bufio.NewWriter(server)
	for n := 0; n < readings; n++ {
		sendReading(buffered, reading{uint32(n % 50), uint64(n), uint8(n)})
	}
	buffered.Flush()
	truth := fmt.Sprintf("readings %d\nwrites %d\nper_write_us %.2f\nsame_buffered_s %.3f\n",
		readings, calls, took.Seconds()*1e6/float64(calls), time.Since(before).Seconds())
	os.WriteFile("truth", []byte(truth), 0o644)
}
