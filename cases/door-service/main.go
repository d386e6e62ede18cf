// door-service says who may open which door, over a Unix socket, until it is told to stop.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
)

type rights map[string]map[string]bool

func load() rights {
	r := rights{}
	for i := 0; i < 400; i++ {
		doors := map[string]bool{}
		for d := 0; d < 30; d++ {
			doors[fmt.Sprintf("door%d", (i*7+d*3)%90)] = true
		}
		r[fmt.Sprintf("badge%d", i)] = doors
	}
	return r
}

func (r rights) answer(question string) string {
	badge, door, ok := strings.Cut(question, " ")
	if ok && r[badge][door] {
		return "open"
	}
	return "stay"
}

func main() {
	r := load()
	listener, err := net.Listen("unix", "doors.sock")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	var answers atomic.Int64
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				lines := bufio.NewScanner(conn)
				for lines.Scan() {
					fmt.Fprintln(conn, r.answer(lines.Text()))
					answers.Add(1)
				}
			}()
		}
	}()
	<-stop
	listener.Close()
	fmt.Println(answers.Load(), "questions answered")
}
