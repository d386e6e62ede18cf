// Parses the reports of weather stations; the columns of each live for a moment only.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func report(station int) string {
	var b strings.Builder
	for hour := 0; hour < 240; hour++ {
		fmt.Fprintf(&b, "%d;%d;%d.%d\n", station, hour, (station*7+hour*31)%40, hour%10)
	}
	return b.String()
}

func meanTemperature(text string) (mean float64, err error) {
	lines, sum := 0, 0.0
	for rest := text; rest != ""; lines++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		columns := strings.Split(line, ";")
		value, err := strconv.ParseFloat(columns[2], 64)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum / float64(lines), nil
}

func main() {
	var reports []string
	for station := 0; station < 400; station++ {
		reports = append(reports, report(station))
	}
	start, parsed, sum := time.Now(), 0, 0.0
	for ; time.Since(start) < 1900*time.Millisecond; parsed++ {
		mean, err := meanTemperature(reports[parsed%len(reports)])
		if err != nil {
			panic(err)
		}
		sum += mean
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	text := fmt.Sprintf("collections %d\ngc_cpu %.4f\nstopped_ms %.1f\nreports %d\nsum %.0f\n", stats.NumGC, stats.GCCPUFraction,
		float64(stats.PauseTotalNs)/1e6, parsed, sum)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
