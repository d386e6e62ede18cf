// The price service of a chain of bakeries: each till asks over HTTP what a basket costs.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

type article struct {
	Name    string            `json:"name"`
	Cents   int               `json:"cents"`
	Tax     float64           `json:"tax"`
	Weekday map[string]int    `json:"weekday"`
	Labels  []string          `json:"labels"`
	Extra   map[string]string `json:"extra"`
}

// What the head office sent this morning, as it came.
var catalogue []byte

func writeCatalogue(articles int) {
	list := make([]article, articles)
	for n := range list {
		list[n] = article{fmt.Sprintf("bread-%d", n), 100 + n%400, 0.07,
			map[string]int{"mon": n % 7, "sat": -n % 5, "sun": 12},
			[]string{"fresh", "rye", "half loaf \"to go\""}, map[string]string{"oven": fmt.Sprint(n % 9), "shelf": "left"}}
	}
	catalogue, _ = json.Marshal(list)
}

//go:noinline
func currentPrices() map[string]article {
	var list []article
	if err := json.Unmarshal(catalogue, &list); err != nil {
		panic(err)
	}
	prices := make(map[string]article, len(list))
	for _, a := range list {
		prices[a.Name] = a
	}
	return prices
}

//go:noinline
func priceBasket(w http.ResponseWriter, r *http.Request) {
	prices := currentPrices()
	sum := 0
	for _, name := range strings.Split(r.URL.Query().Get("basket"), ",") {
		sum += prices[name].Cents + prices[name].Weekday["sat"]
	}
	fmt.Fprintln(w, sum)
}

func main() {
	writeCatalogue(900)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/price", priceBasket)
	go http.Serve(listener, nil)

	start := time.Now()
	asked := 0
	for time.Since(start) < 2*time.Second {
		url := fmt.Sprintf("http://%s/price?basket=bread-%d,bread-%d", listener.Addr(), asked%900, asked*7%900)
		answer, err := http.Get(url)
		if err != nil {
			panic(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		asked++
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("asked %d\n", asked)), 0o644)
}
