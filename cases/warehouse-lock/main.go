// Six pickers reserve goods. A mutex protects the table of reservations, and it stays locked while the stock service is
// asked over the network.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type warehouse struct {
	mutex    sync.Mutex
	reserved map[string]int
	stock    net.Conn
	answers  *bufio.Reader
}

var waitedForLock, waitedForStock, reservations atomic.Int64

func (w *warehouse) askStock(article string) (string, error) {
	before := time.Now()
	defer func() { waitedForStock.Add(time.Since(before).Microseconds()) }()
	if _, err := fmt.Fprintf(w.stock, "%s\n", article); err != nil {
		return "", err
	}
	answer, err := w.answers.ReadString('\n')
	return strings.TrimSpace(answer), err
}

func (w *warehouse) reserve(article string, picker int) error {
	before := time.Now()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	waitedForLock.Add(time.Since(before).Microseconds())
	if answer, err := w.askStock(article); err != nil || answer != "yes" {
		return fmt.Errorf("%s: %s %w", article, answer, err)
	}
	w.reserved[article] = picker
	return nil
}

func picker(w *warehouse, number int, until time.Time) {
	for round := 0; time.Now().Before(until); round++ {
		if err := w.reserve(fmt.Sprintf("article-%d", (number*31+round)%500), number); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		reservations.Add(1)
	}
}

func main() {
	port, err := os.ReadFile("ready")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stock, err := net.Dial("tcp", "127.0.0.1:"+string(port))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	w := &warehouse{reserved: map[string]int{}, stock: stock, answers: bufio.NewReader(stock)}
	start := time.Now()
	var pickers sync.WaitGroup
	for n := range 6 {
		pickers.Go(func() { picker(w, n, start.Add(2*time.Second)) })
	}
	pickers.Wait()
	wall := float64(time.Since(start).Microseconds())
	os.WriteFile("truth", fmt.Appendf(nil, "reservations %d\nlock_wait_per_picker %.3f\nunder_way_to_stock %.3f\n",
		reservations.Load(), float64(waitedForLock.Load())/6/wall, float64(waitedForStock.Load())/wall), 0o644)
}
