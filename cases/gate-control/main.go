// gate-control opens the gates of a car park, and asks the camera's service for each number plate.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

type plate struct {
	gate int
	text string
}

type camera struct {
	address string
	asking  time.Duration
	lost    int
}

var errNoCamera = errors.New("no camera")

func (c *camera) ask(gate int) (plate, error) {
	t := time.Now()
	defer func() { c.asking += time.Since(t) }()
	conn, err := net.DialTimeout("tcp", c.address, 300*time.Millisecond)
	if err != nil {
		c.lost++
		return plate{}, errNoCamera
	}
	defer conn.Close()
	fmt.Fprintf(conn, "plate %d\n", gate)
	conn.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
	answer := make([]byte, 64)
	n, err := conn.Read(answer)
	return plate{gate, strings.TrimSpace(string(answer[:n]))}, err
}

// ticket is for those whose plate nobody knows.
func ticket(number int) string {
	check := 0
	for i := 1; i < 25000000; i++ {
		check = (check*31 + number*i) % 9973
	}
	return fmt.Sprintf("T%06d-%04d", number, check)
}

func main() {
	start := time.Now()
	port, err := os.ReadFile("port")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c := &camera{address: "127.0.0.1:" + strings.TrimSpace(string(port))}
	cars := 0
	for time.Since(start) < 2*time.Second {
		p, err := c.ask(cars % 3)
		if err != nil {
			p = plate{cars % 3, ticket(cars)}
		}
		fmt.Println("gate", p.gate, "opens for", p.text)
		cars++
	}
	share := c.asking.Seconds() / time.Since(start).Seconds()
	os.WriteFile("truth", []byte(fmt.Sprintf("share %.3f\nlost %d of %d\n", share, c.lost, cars)), 0o644)
}
