// Sorts the letters of a post office; while a letter is on the table, a file with its number says so.
package main

import (
	"fmt"
	"os"
	"time"
)

var marking time.Duration

func markLetter(letter int) (string, error) {
	name := fmt.Sprintf("table/letter-%d.busy", letter%500)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	return name, file.Close()
}

func sortLetter(letter int, boxes *[90]int) error {
	before := time.Now()
	mark, err := markLetter(letter)
	if err != nil {
		return err
	}
	marking += time.Since(before)
	boxes[letter*letter%90]++
	before = time.Now()
	defer func() { marking += time.Since(before) }()
	return os.Remove(mark)
}

func main() {
	if err := os.Mkdir("table", 0o755); err != nil {
		panic(err)
	}
	var boxes [90]int
	start := time.Now()
	letters := 0
	for ; time.Since(start) < 2*time.Second; letters++ {
		if err := sortLetter(letters, &boxes); err != nil {
			panic(err)
		}
	}
	text := fmt.Sprintf("marking %.3f\nletters %d\n", marking.Seconds()/time.Since(start).Seconds(), letters)
	os.WriteFile("truth", []byte(text), 0o644)
}
