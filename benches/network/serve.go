// An HTTP server and its clients: the server answers so many requests on so many connections, and reports its own CPU time
// per request to a file.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
)

const connections = 8

func cpuNs() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// ask makes its part of the requests, one after the other on one connection each.
func ask(address string, requests int) {
	var all sync.WaitGroup
	for range connections {
		all.Add(1)
		go func() {
			defer all.Done()
			client := &http.Client{Transport: &http.Transport{}}
			for range requests / connections {
				answer, err := client.Get("http://" + address + "/")
				if err != nil {
					panic(err)
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}()
	}
	all.Wait()
}

func main() {
	requests, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	if len(os.Args) > 3 {
		ask(os.Args[3], requests)
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	page := make([]byte, 4096)
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(page) }))
	client := exec.Command(os.Args[0], os.Args[1], os.Args[2], listener.Addr().String())
	before := cpuNs()
	if output, err := client.CombinedOutput(); err != nil {
		panic(string(output))
	}
	file, err := os.OpenFile(os.Args[2], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(file, "%d\n", (cpuNs()-before)/int64(requests))
	file.Close()
}
