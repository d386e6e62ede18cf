// Controls the vents of a greenhouse: at each step the plan is worked out again, and sent if it has changed.
package main

import (
	"fmt"
	"os"
	"reflect"
	"time"
)

type bed struct {
	Name    string
	Plants  []string
	Targets map[string]float64
}

type plan struct {
	Vents []int
	Beds  []bed
}

var comparing time.Duration

func beds(count int) []bed {
	all := make([]bed, count)
	for n := range all {
		all[n] = bed{Name: fmt.Sprint("bed ", n), Targets: map[string]float64{"warm": float64(18 + n%7), "moist": 0.4, "light": 0.8}}
		for p := range 24 {
			all[n].Plants = append(all[n].Plants, fmt.Sprintf("plant %d of row %d", n*31%97, p))
		}
	}
	return all
}

func workOut(beds []bed, step int) plan {
	vents := make([]int, 16)
	for n, b := range beds {
		vents[n%16] += int(b.Targets["warm"]) + step/200%5
	}
	return plan{Vents: vents, Beds: beds}
}

func copyOf(beds []bed) []bed {
	return append([]bed(nil), beds...)
}

func changed(old, new plan) bool {
	before := time.Now()
	equal := reflect.DeepEqual(old, new)
	comparing += time.Since(before)
	return !equal
}

func main() {
	start := time.Now()
	garden, other := beds(300), beds(300)
	sent := workOut(copyOf(other), 0)
	steps, sendings := 0, 0
	for time.Since(start) < 2*time.Second {
		next := workOut(garden, steps)
		if changed(sent, next) {
			sent = workOut(copyOf(other), steps)
			sendings++
		}
		steps++
	}
	truth := fmt.Sprintf("comparing %.3f\nsteps %d\nsendings %d\n", comparing.Seconds()/time.Since(start).Seconds(), steps, sendings)
	os.WriteFile("truth", []byte(truth), 0o644)
}
