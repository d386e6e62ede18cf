// Adds up the timber of a sawmill, from a list that is in memory.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func writeList(logs int) []string {
	var lines []string
	for n := 0; n < logs; n++ {
		lines = append(lines, fmt.Sprintf("%d %d %d oak", n, 200+n*31%400, 20+n*7%60))
	}
	return lines
}

func volume(line string) int {
	var number, length, width int
	var wood string
	if _, err := fmt.Sscanf(line, "%d %d %d %s", &number, &length, &width, &wood); err != nil {
		panic(err)
	}
	return length * width * width
}

func volumeByHand(line string) int {
	fields := strings.Fields(line)
	length, _ := strconv.Atoi(fields[1])
	width, _ := strconv.Atoi(fields[2])
	return length * width * width
}

func addUp(lines []string, volume func(string) int, d time.Duration) (nsPerLine float64, sum int) {
	start, read := time.Now(), 0
	for time.Since(start) < d {
		for _, line := range lines {
			sum += volume(line)
		}
		read += len(lines)
	}
	return float64(time.Since(start).Nanoseconds()) / float64(read), sum
}

func main() {
	lines := writeList(2000)
	scanned, sum := addUp(lines, volume, 2*time.Second)
	byHand, more := addUp(lines, volumeByHand, 50*time.Millisecond)
	text := fmt.Sprintf("ns_per_line %.0f\nns_by_hand %.0f\nsum %d\n", scanned, byHand, sum+more)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
