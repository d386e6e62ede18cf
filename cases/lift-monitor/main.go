// Sends the states of a lift to a monitor, which is started after the lift. A state is sent until it has arrived.
package main

import (
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

var refused int

func connect(address string) net.Conn {
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			return conn
		}
		refused++
		time.Sleep(200 * time.Millisecond)
	}
}

func sendState(address string, floor int) time.Duration {
	before := time.Now()
	conn := connect(address)
	waited := time.Since(before)
	fmt.Fprintf(conn, "floor %d\n", floor)
	conn.Close()
	return waited
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile("lift-up", nil, 0o644); err != nil {
		panic(err)
	}
	address := "127.0.0.1:" + strings.TrimSpace(string(port))
	start := time.Now()
	var waited time.Duration
	for floor := 0; floor < 5; floor++ {
		waited += sendState(address, floor)
	}
	text := fmt.Sprintf("waited %.3f\nrefused %d\n", waited.Seconds()/time.Since(start).Seconds(), refused)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
