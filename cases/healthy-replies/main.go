// Answers requests for the weather until 6,000 are answered.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

const enough = 6000

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var answered, nanoseconds atomic.Int64
	done := make(chan struct{})
	http.HandleFunc("/", func(out http.ResponseWriter, request *http.Request) {
		before := time.Now()
		fmt.Fprintf(out, "%s: 17 degrees, rain\n", request.URL.Path)
		nanoseconds.Add(time.Since(before).Nanoseconds())
		if answered.Add(1) == enough {
			close(done)
		}
	})
	go http.Serve(listener, nil)
	os.WriteFile("port.part", []byte(strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)), 0o644)
	os.Rename("port.part", "port")
	<-done
	truth := fmt.Sprintf("answered %d\nmicroseconds_each %.1f\n", answered.Load(), float64(nanoseconds.Load())/1000/enough)
	os.WriteFile("truth", []byte(truth), 0o644)
}
