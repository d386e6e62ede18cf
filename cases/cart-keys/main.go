// Computes the totals of the carts of a web shop, with prices per country, customer group and size.
package main

import (
	"fmt"
	"os"
	"time"
)

type item struct {
	article int
	size    string
	amount  int
}

type cart struct {
	country, group string
	items          []item
}

var (
	sizes     = []string{"S", "M", "L", "XL"}
	countries = []string{"de", "fr", "pl", "dk", "es"}
	groups    = []string{"retail", "wholesale", "club"}
	prices    = map[string]int{}
	looking   time.Duration
)

func fillPrices() {
	for article := range 500 {
		for _, size := range sizes {
			for c, country := range countries {
				for g, group := range groups {
					prices[fmt.Sprintf("%s/%s/article-%06d/size=%s", country, group, article, size)] = 900 + article*3 + c*10 - g*50
				}
			}
		}
	}
}

//go:noinline
func priceOf(c *cart, i item) int {
	key := fmt.Sprintf("%s/%s/article-%06d/size=%s", c.country, c.group, i.article, i.size)
	return prices[key]
}

//go:noinline
func cartTotal(c *cart) int {
	before := time.Now()
	total := 0
	for _, i := range c.items {
		total += i.amount * priceOf(c, i)
	}
	looking += time.Since(before)
	if total > 100000 {
		total -= total / 20
	}
	return total
}

func nextCart(number int) *cart {
	c := &cart{country: countries[number%5], group: groups[number%3]}
	for n := range 40 {
		c.items = append(c.items, item{(number*31 + n*7) % 500, sizes[n%4], 1 + n%3})
	}
	return c
}

func main() {
	fillPrices()
	start, carts, money := time.Now(), 0, 0
	for ; time.Since(start) < 2*time.Second; carts++ {
		money += cartTotal(nextCart(carts))
	}
	os.WriteFile("truth", fmt.Appendf(nil, "looking %.3f\ncarts %d\nmoney %d\n",
		looking.Seconds()/time.Since(start).Seconds(), carts, money), 0o644)
}
