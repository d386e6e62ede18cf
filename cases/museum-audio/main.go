// An audio guide fetches the text of each picture, and an advertisement from a server that never says anything.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

var vain time.Duration

// fetchAdvertisement may be late, but no more than 150 ms.
func fetchAdvertisement(address string, picture int) string {
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return ""
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	conn.SetDeadline(deadline)
	fmt.Fprintf(conn, "GET %d\n", picture)
	before := time.Now()
	text, err := io.ReadAll(conn)
	if err != nil {
		vain += time.Since(before)
	}
	return string(text)
}

func describe(picture int) string {
	return strings.Repeat(fmt.Sprintf("Picture %d shows a ship. ", picture), 40)
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	address := "127.0.0.1:" + strings.TrimSpace(string(port))
	start, letters, pictures := time.Now(), 0, 0
	for ; time.Since(start) < 2*time.Second; pictures++ {
		letters += len(describe(pictures)) + len(fetchAdvertisement(address, pictures))
	}
	text := fmt.Sprintf("share %.3f\npictures %d\nletters %d\n", vain.Seconds()/time.Since(start).Seconds(), pictures, letters)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
