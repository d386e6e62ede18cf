// Renders pages of a product list by HTTP; four clients on loopback read one page after the other.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var connections atomic.Int64

func renderPage(page string) []byte {
	var out bytes.Buffer
	out.Grow(64 << 10)
	for n := range 400 {
		name := fmt.Sprintf("Cups & saucers <no. %d> of page %s", n, page)
		fmt.Fprintf(&out, "<li data-key=%x>%s</li>\n", sha256.Sum256([]byte(name)), html.EscapeString(name))
	}
	return out.Bytes()
}

func handlePage(w http.ResponseWriter, r *http.Request) {
	body := renderPage(r.URL.Query().Get("page"))
	w.Header().Set("Content-Type", "text/html")
	w.Write(body)
}

func readPages(client *http.Client, address string, until time.Time) (pages int) {
	for ; time.Now().Before(until); pages++ {
		answer, err := client.Get(fmt.Sprintf("http://%s/?page=%d", address, pages))
		if err != nil {
			panic(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	return pages
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(handlePage), ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}}
	go server.Serve(listener)
	start := time.Now()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	var clients sync.WaitGroup
	var pages atomic.Int64
	for range 4 {
		clients.Add(1)
		go func() {
			defer clients.Done()
			pages.Add(int64(readPages(client, listener.Addr().String(), start.Add(2*time.Second))))
		}()
	}
	clients.Wait()
	took := time.Since(start)
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	os.WriteFile("truth", fmt.Appendf(nil, "cpus %.2f\npages %d\nconnections %d\n",
		float64(used.Utime.Nano()+used.Stime.Nano())/float64(took), pages.Load(), connections.Load()), 0o644)
}
