// Connects to a service that does not run, and tries again with growing pauses.
package main

import (
	"fmt"
	"net"
	"os"
	"time"
)

var refused int

//go:noinline
func connect(address string) net.Conn {
	pause := 10 * time.Millisecond
	for range 8 {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			return conn
		}
		refused++
		time.Sleep(pause)
		pause = min(pause*2, 500*time.Millisecond)
	}
	return nil
}

func main() {
	// A port that was free a moment ago: nobody listens there.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	address := listener.Addr().String()
	listener.Close()
	start := time.Now()
	connect(address)
	os.WriteFile("truth", fmt.Appendf(nil, "refused %d\nseconds %.3f\naddress %s\n", refused, time.Since(start).Seconds(), address), 0o644)
}
