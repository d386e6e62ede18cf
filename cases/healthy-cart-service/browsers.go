// Three customers, each of whom puts things into a cart and looks at it, over a connection that stays open.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func shop(base string, customer int) {
	client := &http.Client{Transport: &http.Transport{}}
	for n := 0; ; n++ {
		url := fmt.Sprintf("%s/cart/customer-%d", base, customer*100+n%50)
		answer, err := client.Get(url)
		if n%3 == 0 && err == nil {
			answer.Body.Close()
			item := fmt.Sprintf(`{"article":"a-%d","cents":%d,"amount":%d}`, n%400, 99+n%900, 1+n%3)
			answer, err = client.Post(url, "application/json", strings.NewReader(item))
		}
		if err != nil {
			return
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		time.Sleep(2 * time.Millisecond)
	}
}

func main() {
	os.WriteFile("ready", nil, 0o644)
	for {
		port, err := os.ReadFile("port")
		if err == nil {
			for customer := range 3 {
				go shop("http://127.0.0.1:"+string(port), customer)
			}
			time.Sleep(time.Minute)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
