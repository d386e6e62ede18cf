// Prints what the cards of a collector are worth, with data from the album service.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

type album struct {
	connection net.Conn
	replies    *bufio.Reader
	questions  int
	waited     time.Duration
}

type card struct {
	number int
	name   string
	year   int
	price  int
}

func openAlbum() *album {
	port, err := os.ReadFile("ready")
	if err != nil {
		panic(err)
	}
	connection, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	if err != nil {
		panic(err)
	}
	return &album{connection: connection, replies: bufio.NewReader(connection)}
}

func (a *album) ask(verb string, number int) string {
	before := time.Now()
	fmt.Fprintf(a.connection, "%s %d\n", verb, number)
	reply, err := a.replies.ReadString('\n')
	if err != nil {
		panic(err)
	}
	a.questions++
	a.waited += time.Since(before)
	return strings.TrimSpace(reply)
}

func (a *album) load(number int) (card, bool) {
	if a.ask("HAS", number) != "yes" {
		return card{}, false
	}
	c := card{number: number, name: a.ask("NAME", number)}
	c.year, _ = strconv.Atoi(a.ask("YEAR", number))
	c.price, _ = strconv.Atoi(a.ask("PRICE", number))
	return c, true
}

func main() {
	a := openAlbum()
	start := time.Now()
	list, err := os.Create("list.txt")
	if err != nil {
		panic(err)
	}
	total := 0
	for number := 1; number <= 110; number++ {
		if c, found := a.load(number); found {
			fmt.Fprintf(list, "%4d %-20s %d %6.2f\n", c.number, c.name, c.year, float64(c.price)/100)
			total += c.price
		}
	}
	list.Close()
	fmt.Printf("worth %.2f\n", float64(total)/100)
	wall := time.Since(start)
	truth := fmt.Sprintf("share %.3f\nquestions %d\n", a.waited.Seconds()/wall.Seconds(), a.questions)
	os.WriteFile("truth", []byte(truth), 0o644)
}
