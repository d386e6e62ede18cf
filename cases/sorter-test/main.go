// Sends test parcels to a sorter at the rate that its flags say, and waits for the reply to each.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

func send(sorter *bufio.ReadWriter, parcel int) (string, error) {
	fmt.Fprintf(sorter, "parcel %d\n", parcel)
	if err := sorter.Flush(); err != nil {
		return "", err
	}
	return sorter.ReadString('\n')
}

func main() {
	rate := flag.Int("rate", 10, "parcels per second")
	seconds := flag.Float64("seconds", 2, "length of the test")
	flag.Parse()
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	connection, err := net.Dial("tcp", "127.0.0.1:"+string(port))
	if err != nil {
		panic(err)
	}
	sorter := bufio.NewReadWriter(bufio.NewReader(connection), bufio.NewWriter(connection))
	ticks := time.NewTicker(time.Second / time.Duration(*rate))
	end := time.After(time.Duration(*seconds * float64(time.Second)))
	chutes := map[string]int{}
	for parcel := 0; ; parcel++ {
		select {
		case <-ticks.C:
			chute, err := send(sorter, parcel)
			if err != nil {
				panic(err)
			}
			chutes[strings.TrimSpace(chute)]++
		case <-end:
			fmt.Println(parcel, "parcels", chutes)
			return
		}
	}
}
