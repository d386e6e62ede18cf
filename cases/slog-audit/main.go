// Books transfers between accounts; each is told to the audit log, as the bank's rules ask.
package main

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

type bank struct {
	mu       sync.Mutex
	accounts map[int]int64
	audit    *slog.Logger
}

type auditFile struct {
	file *os.File
}

func (a *auditFile) Write(line []byte) (int, error) {
	n, err := a.file.Write(line)
	if err == nil {
		err = a.file.Sync()
	}
	return n, err
}

func openBank(path string) (*bank, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	b := &bank{accounts: map[int]int64{}, audit: slog.New(slog.NewJSONHandler(&auditFile{file}, nil))}
	for i := 0; i < 5000; i++ {
		b.accounts[i] = 100_000
	}
	return b, nil
}

func (b *bank) transfer(from, to int, cents int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.accounts[from] < cents {
		b.audit.Warn("refused", "from", from, "to", to, "cents", cents)
		return false
	}
	b.accounts[from] -= cents
	b.accounts[to] += cents
	b.audit.Info("transfer", "from", from, "to", to, "cents", cents)
	return true
}

func (b *bank) teller(number int, end time.Time) (done int) {
	x := uint32(number + 1)
	for time.Now().Before(end) {
		x = x*1664525 + 1013904223
		if b.transfer(int(x>>8)%5000, int(x>>16)%5000, int64(x%900)) {
			done++
		}
	}
	return done
}

func main() {
	b, err := openBank("audit.json")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	end := time.Now().Add(2 * time.Second)
	var wait sync.WaitGroup
	counts := make([]int, 6)
	for i := range counts {
		wait.Add(1)
		go func() {
			defer wait.Done()
			counts[i] = b.teller(i, end)
		}()
	}
	wait.Wait()
	fmt.Println(counts)
}
