// Decides for each event of a monitoring system whether somebody must be called.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

type rule struct {
	Host   string   `json:"host"`
	Metric string   `json:"metric"`
	Above  float64  `json:"above"`
	Call   []string `json:"call"`
}

type event struct {
	host, metric string
	value        float64
}

var (
	rulesText []byte
	parsing   time.Duration
)

//go:noinline
func loadRules() ([]rule, error) {
	before := time.Now()
	var rules []rule
	err := json.Unmarshal(rulesText, &rules)
	parsing += time.Since(before)
	return rules, err
}

//go:noinline
func alarmFor(e event) ([]string, error) {
	rules, err := loadRules()
	if err != nil {
		return nil, err
	}
	for _, r := range rules {
		if r.Host == e.host && r.Metric == e.metric && e.value > r.Above {
			return r.Call, nil
		}
	}
	return nil, nil
}

func makeRules() []byte {
	var rules []rule
	for n := range 200 {
		rules = append(rules, rule{fmt.Sprintf("host-%d.example.test", n/4), []string{"load", "disk", "memory", "errors"}[n%4],
			float64(n%10) * 10, []string{"on-call", "team-" + fmt.Sprint(n%7)}})
	}
	text, _ := json.MarshalIndent(rules, "", "  ")
	return text
}

func main() {
	os.WriteFile("rules.json", makeRules(), 0o644)
	rulesText, _ = os.ReadFile("rules.json")
	start, events, alarms := time.Now(), 0, 0
	for ; time.Since(start) < 2*time.Second; events++ {
		calls, err := alarmFor(event{fmt.Sprintf("host-%d.example.test", events%60), "load", float64(events * 31 % 100)})
		if err != nil {
			panic(err)
		}
		alarms += len(calls)
	}
	os.WriteFile("truth", fmt.Appendf(nil, "parsing %.3f\nevents %d\nalarms %d\n",
		parsing.Seconds()/time.Since(start).Seconds(), events, alarms), 0o644)
}
