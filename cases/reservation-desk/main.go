// Reserves seats one by one at a desk that runs on this machine.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

func reserveSeat(desk *bufio.ReadWriter, seat int) error {
	fmt.Fprintf(desk, "seat %d\n", seat)
	if err := desk.Flush(); err != nil {
		return err
	}
	answer, err := desk.ReadString('\n')
	if err == nil && !strings.HasPrefix(answer, "reserved") {
		err = fmt.Errorf("not reserved: %s", answer)
	}
	return err
}

func main() {
	port, err := os.ReadFile("ready")
	if err != nil {
		panic(err)
	}
	connection, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	if err != nil {
		panic(err)
	}
	desk := bufio.NewReadWriter(bufio.NewReader(connection), bufio.NewWriter(connection))
	start, seats := time.Now(), 0
	var waited time.Duration
	for time.Since(start) < 2*time.Second {
		before := time.Now()
		if err := reserveSeat(desk, seats); err != nil {
			panic(err)
		}
		waited += time.Since(before)
		seats++
	}
	fmt.Fprintln(desk, "statistics")
	desk.Flush()
	syncing, _ := desk.ReadString('\n')
	text := fmt.Sprintf("waited %.3f\nseats %d\nms_per_seat %.2f\n%s", waited.Seconds()/time.Since(start).Seconds(),
		seats, waited.Seconds()*1000/float64(seats), syncing)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
