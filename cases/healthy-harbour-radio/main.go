// The radio of a harbour: ships call now and then. If none has called for 300 ms, the radio says that it is there, as the rules demand.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

var calls, beacons int

func hear(ship *bufio.Reader, line net.Conn) (string, error) {
	line.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	return ship.ReadString('\n')
}

func watch(line net.Conn, until time.Time) error {
	ships := bufio.NewReader(line)
	for time.Now().Before(until) {
		call, err := hear(ships, line)
		switch {
		case err == nil:
			calls++
			fmt.Fprintf(line, "heard %s", call)
		case errors.Is(err, os.ErrDeadlineExceeded):
			beacons++
			fmt.Fprintln(line, "harbour radio is listening")
		default:
			return err
		}
	}
	return nil
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	line, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	if err != nil {
		panic(err)
	}
	if err := watch(line, time.Now().Add(2*time.Second)); err != nil {
		panic(err)
	}
	line.Close()
	if err := os.WriteFile("truth", fmt.Appendf(nil, "calls %d\nbeacons %d\n", calls, beacons), 0o644); err != nil {
		panic(err)
	}
}
