// Fetches the pictures of a gallery from an archive, and takes care not to ask for too many at once.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const visitors = 12

var (
	slots    = make(chan struct{}, 2)
	waited   atomic.Int64
	pictures atomic.Int64
)

type visitor struct {
	conn   net.Conn
	lines  *bufio.Reader
	number int
}

func (v *visitor) fetchPicture(name string) string {
	before := time.Now()
	slots <- struct{}{}
	waited.Add(int64(time.Since(before)))
	fmt.Fprintln(v.conn, name)
	line, _ := v.lines.ReadString('\n')
	<-slots
	return line
}

func (v *visitor) look(until time.Time) {
	for n := 0; time.Now().Before(until); n++ {
		v.fetchPicture(fmt.Sprintf("picture-%d-%d", v.number, n))
		pictures.Add(1)
	}
}

func main() {
	port, _ := os.ReadFile("ready")
	var all sync.WaitGroup
	start := time.Now()
	for number := 0; number < visitors; number++ {
		conn, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		v := &visitor{conn, bufio.NewReader(conn), number}
		all.Add(1)
		go func() {
			defer all.Done()
			v.look(start.Add(2 * time.Second))
		}()
	}
	all.Wait()
	text := fmt.Sprintf("waiting_for_slots %.1f\npictures %d\n", float64(waited.Load())/float64(time.Since(start)), pictures.Load())
	os.WriteFile("truth", []byte(text), 0o644)
}
