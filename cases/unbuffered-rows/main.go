// Prints a table into a file.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"time"
)

//go:noinline
func printRow(out io.Writer, number int) {
	fmt.Fprintf(out, "%d;customer %d;%d.50\n", number, number%977, number%43)
}

func main() {
	table, err := os.Create("table.csv")
	if err != nil {
		panic(err)
	}
	rows := 0
	start := time.Now()
	for time.Since(start) < 2*time.Second {
		for range 100 {
			printRow(table, rows)
			rows++
		}
	}
	direct := time.Since(start).Seconds() / float64(rows)

	again := time.Now()
	buffered := bufio.NewWriter(table)
	for number := range 100_000 {
		printRow(buffered, number)
	}
	buffered.Flush()
	withBuffer := time.Since(again).Seconds() / 100_000
	truth := fmt.Sprintf("rows %d\nsaved_by_buffer %.3f\n", rows, 1-withBuffer/direct)
	os.WriteFile("truth", []byte(truth), 0o644)
}
