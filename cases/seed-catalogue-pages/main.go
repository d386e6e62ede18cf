// Shows a catalogue of seeds page by page; each page is found by reading the catalogue from its beginning.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

const perPage = 50

var skipped int

func writeCatalogue(name string, seeds int) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	for n := 0; n < seeds; n++ {
		fmt.Fprintf(out, "seed %06d;sow in month %d;%d cents;grows to %d cm\n", n, n%12+1, n*7%900+90, n*13%250)
	}
	return out.Flush()
}

func seedsOnPage(name string, page int) ([]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 0; n < page*perPage && lines.Scan(); n++ {
		skipped++
	}
	var seeds []string
	for len(seeds) < perPage && lines.Scan() {
		seeds = append(seeds, lines.Text())
	}
	return seeds, lines.Err()
}

func main() {
	if err := writeCatalogue("seeds.csv", 200000); err != nil {
		panic(err)
	}
	start := time.Now()
	shown, pages := 0, 0
	for ; time.Since(start) < 2*time.Second; pages++ {
		seeds, err := seedsOnPage("seeds.csv", pages)
		if err != nil || len(seeds) == 0 {
			break
		}
		shown += len(seeds)
	}
	text := fmt.Sprintf("pages %d\nshown %d\nskipped %d\n", pages, shown, skipped)
	os.WriteFile("truth", []byte(text), 0o644)
}
