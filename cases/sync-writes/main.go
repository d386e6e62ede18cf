// Saves orders to a file that was opened with O_SYNC: each write waits for the disk.
package main

import (
	"fmt"
	"os"
	"time"
)

//go:noinline
func saveOrder(file *os.File, number int) {
	if _, err := fmt.Fprintf(file, "order %d: two books\n", number); err != nil {
		panic(err)
	}
}

func main() {
	file, err := os.OpenFile("orders.txt", os.O_WRONLY|os.O_CREATE|os.O_SYNC, 0o644)
	if err != nil {
		panic(err)
	}
	start, orders := time.Now(), 0
	var saving time.Duration
	for ; time.Since(start) < 1500*time.Millisecond; orders++ {
		before := time.Now()
		saveOrder(file, orders)
		saving += time.Since(before)
	}
	share := saving.Seconds() / time.Since(start).Seconds()
	os.WriteFile("truth", fmt.Appendf(nil, "share %.3f\nwrites %d\n", share, orders), 0o644)
}
