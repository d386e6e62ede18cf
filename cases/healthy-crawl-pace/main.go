// Checks the pages of a site at the pace that its owner has asked for.
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

type checker struct {
	client http.Client
	site   string
	good   int
	late   time.Duration
}

func serveSite() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<h1>%s</h1>\n", r.URL.Path)
	}))
	return "http://" + listener.Addr().String(), nil
}

func (c *checker) check(page int) error {
	answer, err := c.client.Get(fmt.Sprintf("%s/page/%d", c.site, page))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	if err == nil && answer.StatusCode == http.StatusOK {
		c.good++
	}
	return err
}

func (c *checker) checkAll(pages int, pace time.Duration) error {
	ticks := time.NewTicker(pace)
	defer ticks.Stop()
	for page := 0; page < pages; page++ {
		due := <-ticks.C
		c.late += time.Since(due)
		if err := c.check(page); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	pages := flag.Int("pages", 20, "pages to check")
	pace := flag.Duration("pace", 100*time.Millisecond, "time from page to page")
	flag.Parse()
	site, err := serveSite()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c := &checker{site: site}
	if err := c.checkAll(*pages, *pace); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d good pages, %v late\n", c.good, c.late)
}
