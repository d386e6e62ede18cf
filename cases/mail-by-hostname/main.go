// Sorts outgoing mail by the address of the host that takes it.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"sort"
	"time"
)

type mail struct {
	number int
	domain string
}

var resolving time.Duration

//go:noinline
func addressOf(resolver *net.Resolver, domain string) string {
	before := time.Now()
	addresses, err := resolver.LookupHost(context.Background(), "mail."+domain+".")
	resolving += time.Since(before)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return addresses[0]
}

//go:noinline
func sortMail(resolver *net.Resolver, routes map[string][]int, m mail) {
	address := addressOf(resolver, m.domain)
	routes[address] = append(routes[address], m.number)
}

func main() {
	resolver := &net.Resolver{PreferGo: true}
	domains := []string{"choir.test", "rowing.test", "chess.test", "bakery.test", "museum.test"}
	routes := map[string][]int{}
	start := time.Now()
	n := 0
	for time.Since(start) < 2*time.Second {
		sortMail(resolver, routes, mail{n, domains[n%len(domains)]})
		n++
	}
	wall := time.Since(start)
	var hosts []string
	for host := range routes {
		hosts = append(hosts, host)
	}
	sort.Strings(hosts)
	fmt.Println(n, "mails for", hosts)
	truth := fmt.Sprintf("share %.3f\nmails %d\n", resolving.Seconds()/wall.Seconds(), n)
	if os.WriteFile("truth", []byte(truth), 0o644) != nil {
		os.Exit(1)
	}
}
