// Adds up the weights of apples, which stand in a file, one per line.
package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

func writeWeights() {
	file, _ := os.Create("weights.txt")
	defer file.Close()
	text := make([]byte, 0, 400_000)
	for n := 0; n < 50_000; n++ {
		text = fmt.Appendf(text, "%d\n", 120+n*7%90)
	}
	file.Write(text)
}

func addWeights(file io.ReadSeeker, end time.Time) (sum, apples int) {
	for n := 0; n%100 != 0 || time.Now().Before(end); n++ {
		var grams int
		if _, err := fmt.Fscan(file, &grams); err != nil {
			file.Seek(0, io.SeekStart)
			continue
		}
		sum += grams
		apples++
	}
	return sum, apples
}

func main() {
	writeWeights()
	file, err := os.Open("weights.txt")
	if err != nil {
		panic(err)
	}
	fmt.Println(addWeights(file, time.Now().Add(2*time.Second)))
}
