// Rounds the weights of parcels, by the calculator that the office has always used.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

var calculating time.Duration

func rounded(grams int) (int, error) {
	before := time.Now()
	defer func() { calculating += time.Since(before) }()
	out, err := exec.Command("expr", strconv.Itoa(grams+499), "/", "500").Output()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

func main() {
	start := time.Now()
	parcels, pounds := 0, 0
	for ; time.Since(start) < 2*time.Second; parcels++ {
		weight, err := rounded(parcels*7919%9000 + 200)
		if err != nil {
			panic(err)
		}
		pounds += weight
	}
	text := fmt.Sprintf("calculating %.3f\nparcels %d\npounds %d\n", calculating.Seconds()/time.Since(start).Seconds(), parcels, pounds)
	os.WriteFile("truth", []byte(text), 0o644)
}
