// Tests of a price feed: each starts the service on a port of its own, listens to its stream, and stops it.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

type feed struct {
	prices []string
}

func (f *feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/price/") {
		for _, p := range f.prices {
			if strings.HasPrefix(p, r.URL.Path[7:]+" ") {
				fmt.Fprintln(w, p)
				return
			}
		}
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, p := range f.prices {
		fmt.Fprintf(w, "data: %s\n\n", p)
	}
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

type fixture struct {
	server *http.Server
	url    string
}

func startService(prices ...string) (*fixture, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &http.Server{Handler: &feed{prices}}
	go s.Serve(l)
	return &fixture{s, "http://" + l.Addr().String()}, nil
}

func (f *fixture) stopService() error {
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	defer cancel()
	err := f.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return f.server.Close()
	}
	return err
}

func firstEvent(url string) (string, func(), error) {
	resp, err := http.Get(url + "/stream")
	if err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	return strings.TrimSpace(line), func() { resp.Body.Close() }, err
}

func testStream(n int) error {
	want := fmt.Sprintf("ore %d.40", n)
	f, err := startService(want, "tin 9.10")
	if err != nil {
		return err
	}
	got, hangUp, err := firstEvent(f.url)
	if err != nil {
		return err
	}
	defer hangUp()
	defer f.stopService()
	if got != "data: "+want {
		return fmt.Errorf("stream: %q", got)
	}
	return nil
}

func main() {
	begin := time.Now()
	n := 0
	for ; time.Since(begin) < 1900*time.Millisecond; n++ {
		if err := testStream(n); err != nil {
			fmt.Println("FAIL", err)
			os.Exit(1)
		}
	}
	fmt.Println("ok", n, "tests")
}
