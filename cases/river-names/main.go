// Writes the index of an atlas: the names of all rivers, in one text.
package main

import (
	"fmt"
	"time"
)

//go:noinline
func addRiver(index string, name string) string {
	return index + name + "; "
}

func makeIndex(rivers int, end time.Time) (string, int) {
	index := ""
	for river := 0; river < rivers; river++ {
		if river%64 == 0 && time.Now().After(end) {
			return index, river
		}
		index = addRiver(index, fmt.Sprintf("river %d", river))
	}
	return index, rivers
}

func main() {
	end := time.Now().Add(2 * time.Second)
	names := 0
	for time.Now().Before(end) {
		_, rivers := makeIndex(30_000, end)
		names += rivers
	}
	fmt.Println(names, "rivers")
}
