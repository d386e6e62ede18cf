// Sends the herons that were counted at each lake to the collecting office.
package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

var pausing time.Duration

func pauseBefore(attempt int) {
	start := time.Now()
	time.Sleep(40 * time.Millisecond << attempt)
	pausing += time.Since(start)
}

func post(url, body string) error {
	for attempt := 0; attempt < 8; attempt++ {
		reply, err := http.Post(url, "text/plain", strings.NewReader(body))
		if err != nil {
			return err
		}
		reply.Body.Close()
		if reply.StatusCode == http.StatusOK {
			return nil
		}
		if reply.StatusCode != http.StatusServiceUnavailable {
			return fmt.Errorf("%s", reply.Status)
		}
		pauseBefore(attempt)
	}
	return fmt.Errorf("gave up")
}

func main() {
	start := time.Now()
	address, err := os.ReadFile("office.url")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	lakes := map[string]int{"Plön": 14, "Eutin": 9, "Malente": 22}
	for lake, herons := range lakes {
		if err := post(string(address), fmt.Sprintf("%s %d", lake, herons)); err != nil {
			fmt.Println(lake, err)
			os.Exit(1)
		}
	}
	text := fmt.Sprintf("share %.3f\n", pausing.Seconds()/time.Since(start).Seconds())
	os.WriteFile("truth", []byte(text), 0o644)
}
