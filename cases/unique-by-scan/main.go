// Counts the visitors in a stream of page views. It keeps those that it has seen in a list, and looks through the whole
// list for each view.
package main

import (
	"fmt"
	"os"
	"time"
)

type visitors struct {
	names []string
}

func (v *visitors) isKnown(name string) bool {
	for _, known := range v.names {
		if known == name {
			return true
		}
	}
	return false
}

func (v *visitors) count(name string) {
	if !v.isKnown(name) {
		v.names = append(v.names, name)
	}
}

func main() {
	var seen visitors
	start := time.Now()
	var quarters [5]int
	for views := 0; ; views++ {
		quarter := int(time.Since(start) / (550 * time.Millisecond))
		if quarter == 4 {
			break
		}
		quarters[quarter]++
		seen.count(fmt.Sprintf("visitor-%08d", views*7919%100000007))
	}
	text := fmt.Sprintf("first_quarter %d\nlast_quarter %d\nvisitors %d\n", quarters[0], quarters[3], len(seen.names))
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
