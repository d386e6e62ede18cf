// Sends text messages to the customers of a garage, by a gateway on this machine.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

type message struct {
	number, text string
}

type gateway struct {
	line            *bufio.ReadWriter
	asking, pausing time.Duration
}

func dialGateway() (*gateway, error) {
	connection, err := net.Dial("unix", "gateway.sock")
	if err != nil {
		return nil, err
	}
	return &gateway{line: bufio.NewReadWriter(bufio.NewReader(connection), bufio.NewWriter(connection))}, nil
}

//go:noinline
func (g *gateway) submitMessage(m message) error {
	before := time.Now()
	defer func() { g.asking += time.Since(before) }()
	fmt.Fprintf(g.line, "%s %s\n", m.number, m.text)
	if err := g.line.Flush(); err != nil {
		return err
	}
	answer, err := g.line.ReadString('\n')
	if err == nil && strings.TrimSpace(answer) != "accepted" {
		err = fmt.Errorf("%s: %s", m.number, answer)
	}
	return err
}

// The provider asks for a pause between two messages.
//
//go:noinline
func (g *gateway) pauseBetween() {
	before := time.Now()
	time.Sleep(60 * time.Millisecond)
	g.pausing += time.Since(before)
}

func nextMessage(n int) message {
	return message{fmt.Sprintf("+49-555-%06d", n*7919%1000000), fmt.Sprintf("Your car (order %d) is ready.", n)}
}

func main() {
	g, err := dialGateway()
	if err != nil {
		panic(err)
	}
	start, sent := time.Now(), 0
	for ; time.Since(start) < 2*time.Second; sent++ {
		if err := g.submitMessage(nextMessage(sent)); err != nil {
			panic(err)
		}
		g.pauseBetween()
	}
	wall := time.Since(start).Seconds()
	os.WriteFile("truth", fmt.Appendf(nil, "pausing %.3f\nasking %.3f\nsent %d\n", g.pausing.Seconds()/wall, g.asking.Seconds()/wall, sent), 0o644)
}
