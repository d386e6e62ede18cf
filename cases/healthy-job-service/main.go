// A service with two workers: takes jobs from a Unix socket, makes a small picture for each.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

type job struct {
	number int
	answer chan string
}

func drawPicture(number int) uint32 {
	sum := uint32(number)
	for y := 0; y < 1200; y++ {
		for x := 0; x < 1600; x++ {
			sum = sum*31 + uint32(x*y)
		}
	}
	return sum
}

func worker(jobs <-chan job, took chan<- time.Duration) {
	for next := range jobs {
		before := time.Now()
		next.answer <- fmt.Sprintf("picture %x\n", drawPicture(next.number))
		took <- time.Since(before)
	}
}

func main() {
	listener, err := net.Listen("unix", "jobs.sock")
	if err != nil {
		panic(err)
	}
	jobs, took := make(chan job, 10), make(chan time.Duration, 100)
	for n := 0; n < 2; n++ {
		go worker(jobs, took)
	}
	for {
		client, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		line, _ := bufio.NewReader(client).ReadString('\n')
		number, _ := strconv.Atoi(strings.TrimSpace(line))
		if number < 0 {
			client.Write([]byte("bye\n"))
			client.Close()
			break
		}
		answer := make(chan string)
		jobs <- job{number, answer}
		client.Write([]byte(<-answer))
		client.Close()
	}
	close(took)
	var all, longest time.Duration
	count := 0
	for one := range took {
		all += one
		longest = max(longest, one)
		count++
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("jobs %d\nall_ms %.1f\nlongest_ms %.1f\n", count,
		all.Seconds()*1000, longest.Seconds()*1000)), 0o644)
}
