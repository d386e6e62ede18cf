// A small server that serves quotations until somebody asks it to stop.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

var quotes = strings.Split("Know thyself|Nothing in excess|Make haste slowly|Time flies", "|")

type server struct {
	served  atomic.Int64
	slowest atomic.Int64
}

func (s *server) quote(out http.ResponseWriter, request *http.Request) {
	before := time.Now()
	n := s.served.Add(1)
	fmt.Fprintln(out, quotes[int(n)%len(quotes)])
	if took := time.Since(before).Microseconds(); took > s.slowest.Load() {
		s.slowest.Store(took)
	}
}

func (s *server) health(out http.ResponseWriter, request *http.Request) {
	fmt.Fprintln(out, "served", s.served.Load())
}

func (s *server) mux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/quote", s.quote)
	mux.HandleFunc("/health", s.health)
	return mux
}

func serve(s *server) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	front := &http.Server{Handler: s.mux(), ReadHeaderTimeout: 5 * time.Second}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- front.Serve(listener) }()
	address := fmt.Sprintf("%s %d", listener.Addr(), os.Getpid())
	if err := os.WriteFile("address.tmp", []byte(address), 0o644); err != nil {
		return err
	}
	if err := os.Rename("address.tmp", "address"); err != nil {
		return err
	}
	select {
	case err := <-ended:
		return err
	case <-stop.Done():
	}
	patience, done := context.WithTimeout(context.Background(), time.Second)
	defer done()
	return front.Shutdown(patience)
}

func main() {
	s := &server{}
	if err := serve(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("served %d\nslowest_us %d\n", s.served.Load(), s.slowest.Load())), 0o644)
}
