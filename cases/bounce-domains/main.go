// Sorts the bounced letters of a newsletter: a letter is tried again if the domain of its reader still has an address.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

type letter struct {
	reader string
	tries  int
}

type sorter struct {
	resolver *net.Resolver
	again    int
	dead     int
	asking   time.Duration
}

func newSorter() *sorter {
	return &sorter{resolver: &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "udp", "127.0.0.1:15353")
		},
	}}
}

func bounces() []letter {
	domains := []string{"mail.example.", "post.example.", "inbox.example.", "letters.example.", "office.example."}
	var letters []letter
	for i := 0; i < 400; i++ {
		letters = append(letters, letter{reader: fmt.Sprintf("reader%d@%s", i, domains[i*i%len(domains)]), tries: i % 4})
	}
	return letters
}

func (s *sorter) domainLives(domain string) bool {
	before := time.Now()
	defer func() { s.asking += time.Since(before) }()
	addresses, err := s.resolver.LookupIP(context.Background(), "ip4", domain)
	return err == nil && len(addresses) > 0
}

func (s *sorter) sort(l letter) {
	_, domain, _ := strings.Cut(l.reader, "@")
	if l.tries < 3 && s.domainLives(domain) {
		s.again++
	} else {
		s.dead++
	}
}

func main() {
	s := newSorter()
	start := time.Now()
	for _, l := range bounces() {
		if time.Since(start) > 2*time.Second {
			break
		}
		s.sort(l)
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("share %.3f\n", s.asking.Seconds()/time.Since(start).Seconds())), 0o644)
	fmt.Println(s.again, "again,", s.dead, "given up")
}
