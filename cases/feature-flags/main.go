// Decides which features a request gets: rules with dates say when a feature is on.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

var layouts = []string{
	time.ANSIC, time.UnixDate, time.RFC822Z, time.RFC850, time.RFC1123Z, time.RFC3339, "2006-01-02 15:04:05", "02.01.2006 15:04",
}

type rule struct {
	feature    string
	from, till string
}

type request struct {
	user int
	at   time.Time
}

func loadRules() []rule {
	var rules []rule
	for i := 0; i < 24; i++ {
		rules = append(rules, rule{
			feature: fmt.Sprintf("feature-%d", i),
			from:    fmt.Sprintf("%02d.%02d.2025 %02d:00", i%28+1, i%12+1, i%24),
			till:    fmt.Sprintf("%02d.%02d.2026 %02d:30", i%28+1, (i+5)%12+1, i%24),
		})
	}
	return rules
}

func parseMoment(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	var failed error
	for _, layout := range layouts {
		moment, err := time.Parse(layout, text)
		if err == nil {
			return moment, nil
		}
		failed = err
	}
	return time.Time{}, failed
}

func (r rule) isOn(at time.Time) bool {
	from, err := parseMoment(r.from)
	if err != nil {
		return false
	}
	till, err := parseMoment(r.till)
	if err != nil {
		return false
	}
	return !at.Before(from) && at.Before(till)
}

func featuresOf(r request, rules []rule) int {
	on := 0
	for _, rule := range rules {
		if rule.isOn(r.at) {
			on++
		}
	}
	return on
}

func main() {
	rules := loadRules()
	first := time.Date(2025, 11, 1, 0, 0, 0, 0, time.UTC)
	start := time.Now()
	requests, on := 0, 0
	for time.Since(start) < 2*time.Second {
		on += featuresOf(request{requests, first.Add(time.Duration(requests) * time.Minute)}, rules)
		requests++
	}
	fmt.Fprintf(os.Stdout, "%d requests, %d features on\n", requests, on)
}
