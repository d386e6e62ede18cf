// Sorts the events of a freight line by the depot that they concern, and passes them on as they are.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

type depots map[string]*bytes.Buffer

func event(number int) []byte {
	type stop struct {
		Name   string    `json:"name"`
		Times  []int     `json:"times"`
		Weight []float64 `json:"weights"`
	}
	stops := make([]stop, 24)
	for i := range stops {
		stops[i] = stop{Name: fmt.Sprintf("stop %d", i), Times: []int{number, number + i, i * 3600},
			Weight: []float64{1.5 * float64(i), 22.25, 0.125 * float64(number%97)}}
	}
	text, _ := json.Marshal(map[string]any{"depot": fmt.Sprintf("depot-%d", number%9), "train": number, "stops": stops})
	return text
}

func depotOf(text []byte) string {
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		return "unknown"
	}
	return whole["depot"].(string)
}

func (d depots) pass(text []byte) {
	depot := depotOf(text)
	buffer := d[depot]
	if buffer == nil {
		buffer = &bytes.Buffer{}
		d[depot] = buffer
	}
	if buffer.Len() > 1<<20 {
		buffer.Reset()
	}
	buffer.Write(text)
}

func main() {
	day := make([][]byte, 400)
	for i := range day {
		day[i] = event(i)
	}
	d := depots{}
	until := time.Now().Add(2 * time.Second)
	passed := 0
	for time.Now().Before(until) {
		for _, text := range day {
			d.pass(text)
			passed++
		}
	}
	fmt.Println(passed, "events for", len(d), "depots")
}
