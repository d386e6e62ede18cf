// Reports the catch of each eel trap to the station of its river, whose address it looks up.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

func lookUpStation(resolver *net.Resolver, river string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	defer cancel()
	_, err := resolver.LookupHost(ctx, "station."+river+".example.")
	return err
}

func reportCatch(resolver *net.Resolver, river string, eels int) bool {
	if err := lookUpStation(resolver, river); err != nil {
		fmt.Println(river, eels, "kept for later")
		return false
	}
	return true
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		panic(err)
	}
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "udp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	}}
	for n, river := range []string{"avon", "tweed", "severn", "trent", "wye"} {
		reportCatch(resolver, river, 3+n)
	}
}
