// Posts entries to a ledger from five clerks. The auditor has to confirm each, and is asked while the ledger is locked.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type ledger struct {
	mutex   sync.Mutex
	entries map[int]int
}

var queued, asked atomic.Int64

// The auditor takes two milliseconds for an answer.
func askAuditor(entry int) bool {
	time.Sleep(2 * time.Millisecond)
	return entry%97 != 0
}

func (l *ledger) post(entry int) {
	before := time.Now()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	queued.Add(int64(time.Since(before)))
	before = time.Now()
	if askAuditor(entry) {
		l.entries[entry%1000]++
	}
	asked.Add(int64(time.Since(before)))
}

func clerk(l *ledger, number int, until time.Time) {
	for n := 0; time.Now().Before(until); n++ {
		l.post(n*5 + number)
	}
}

func main() {
	book := &ledger{entries: map[int]int{}}
	start := time.Now()
	var clerks sync.WaitGroup
	for n := 0; n < 5; n++ {
		clerks.Add(1)
		go func(n int) {
			defer clerks.Done()
			clerk(book, n, start.Add(2*time.Second))
		}(n)
	}
	clerks.Wait()
	took := time.Since(start).Seconds()
	text := fmt.Sprintf("queued_per_clerk %.3f\nasked %.3f\n", time.Duration(queued.Load()).Seconds()/5/took,
		time.Duration(asked.Load()).Seconds()/took)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
