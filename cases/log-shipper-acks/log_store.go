// Stores batches of logs: each is written to a file of its own, then its copy on a second disk is awaited.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

//go:noinline
func awaitCopy(batch []byte) {
	time.Sleep(30*time.Millisecond + time.Duration(len(batch))*time.Nanosecond)
}

func storeBatch(number int, batch []byte) error {
	if err := os.WriteFile(fmt.Sprintf("batch-%d.z", number), batch, 0o644); err != nil {
		return err
	}
	awaitCopy(batch)
	return nil
}

func serve(client net.Conn) error {
	defer client.Close()
	for number := 0; ; number++ {
		var length uint32
		if err := binary.Read(client, binary.BigEndian, &length); err != nil {
			return err
		}
		batch := make([]byte, length)
		if _, err := io.ReadFull(client, batch); err != nil {
			return err
		}
		if err := storeBatch(number, batch); err != nil {
			return err
		}
		client.Write([]byte("k"))
	}
}

func main() {
	listener, err := net.Listen("unix", "store.sock")
	if err != nil {
		panic(err)
	}
	os.WriteFile("ready", nil, 0o644)
	for {
		client, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		serve(client)
	}
}
