// The server of a game: 30 steps per second; players send their moves by UDP, and get the world after each step.
package main

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

type ship struct {
	address net.Addr
	x, y    uint32
	dx, dy  uint32
}

type world struct {
	lock  sync.Mutex
	ships map[string]*ship
	moves int
}

func (w *world) takeMove(from net.Addr, move []byte) {
	w.lock.Lock()
	defer w.lock.Unlock()
	s := w.ships[from.String()]
	if s == nil {
		s = &ship{address: from}
		w.ships[from.String()] = s
	}
	s.dx, s.dy = uint32(move[0]), uint32(move[1])
	w.moves++
}

func (w *world) step(conn net.PacketConn) {
	w.lock.Lock()
	defer w.lock.Unlock()
	picture := make([]byte, 0, 8*len(w.ships))
	for _, s := range w.ships {
		s.x, s.y = (s.x+s.dx)%4096, (s.y+s.dy)%4096
		picture = binary.BigEndian.AppendUint32(picture, s.x)
		picture = binary.BigEndian.AppendUint32(picture, s.y)
	}
	for _, s := range w.ships {
		conn.WriteTo(picture, s.address)
	}
}

func (w *world) receive(conn net.PacketConn) {
	move := make([]byte, 100)
	for {
		length, from, err := conn.ReadFrom(move)
		if err != nil {
			return
		}
		if length >= 2 {
			w.takeMove(from, move)
		}
	}
}

func main() {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	w := &world{ships: map[string]*ship{}}
	os.WriteFile("port.new", []byte(fmt.Sprint(conn.LocalAddr().(*net.UDPAddr).Port)), 0o644)
	os.Rename("port.new", "port")
	go w.receive(conn)
	clock := time.NewTicker(time.Second / 30)
	defer clock.Stop()
	var longest time.Duration
	steps := 0
	for start := time.Now(); time.Since(start) < 2*time.Second; steps++ {
		<-clock.C
		before := time.Now()
		w.step(conn)
		longest = max(longest, time.Since(before))
	}
	conn.Close()
	w.lock.Lock()
	os.WriteFile("truth", fmt.Appendf(nil, "steps %d\nmoves %d\nships %d\nlongest_step_ms %.2f\n", steps, w.moves, len(w.ships), longest.Seconds()*1000), 0o644)
}
