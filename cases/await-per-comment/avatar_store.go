// Keeps the pictures of a forum's members. It fetches each from a tape archive, which takes 15 ms.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"time"
)

func fetchFromArchive(member string) string {
	time.Sleep(15 * time.Millisecond)
	return "avatar-" + member
}

func serve(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		fmt.Fprintln(conn, fetchFromArchive(lines.Text()))
	}
}

func main() {
	listener, err := net.Listen("unix", "avatars.sock")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.WriteFile("ready", nil, 0o644)
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go serve(conn)
	}
}
