// Numbers new invoices by listing the whole directory for each of them: quadratic.
package main

import (
	"fmt"
	"os"
	"time"
)

var scans, entries int

//go:noinline
func nextNumber(folder string) int {
	listed, err := os.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	scans++
	entries += len(listed)
	return len(listed) + 1
}

func main() {
	for start := time.Now(); time.Since(start) < 2*time.Second; {
		number := nextNumber("invoices")
		os.WriteFile(fmt.Sprintf("invoices/invoice-%05d", number), []byte("17.50\n"), 0o644)
	}
	os.WriteFile("truth", fmt.Appendf(nil, "scans %d\nentries %d\n", scans, entries), 0o644)
}
