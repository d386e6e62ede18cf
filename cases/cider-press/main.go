// Asks an orchard for apples; the press turns its wheel until they are there.
package main

import (
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

func askOrchard(orchard net.Conn, apples chan<- int) {
	basket := make([]byte, 64)
	fmt.Fprintln(orchard, "apples")
	n, err := orchard.Read(basket)
	if err != nil {
		panic(err)
	}
	apples <- n
}

func turnWheel(apples <-chan int) int {
	for {
		select {
		case n := <-apples:
			return n
		default:
		}
	}
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	orchard, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	if err != nil {
		panic(err)
	}
	pressed := 0
	for start := time.Now(); time.Since(start) < 2*time.Second; {
		apples := make(chan int)
		go askOrchard(orchard, apples)
		pressed += turnWheel(apples)
	}
	fmt.Println(pressed, "apples")
}
