// Imports the files of a scanner, and tells a gateway how many pages each had.
package main

import (
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"strings"
	"time"
)

type importer struct {
	gateway  string
	client   http.Client
	failed   int
	pushing  time.Duration
	imported []string
}

func (i *importer) pushMetric(name string, value int) {
	before := time.Now()
	answer, err := i.client.Post(i.gateway, "text/plain", strings.NewReader(fmt.Sprintf("%s %d\n", name, value)))
	i.pushing += time.Since(before)
	if err != nil {
		i.failed++ // Not worth stopping for.
		return
	}
	answer.Body.Close()
}

func (i *importer) importFile(number int) {
	pages := strings.Repeat(fmt.Sprintf("page of letter %d\n", number), number%20+1)
	i.imported = append(i.imported, fmt.Sprintf("%d %08x\n", number, crc32.ChecksumIEEE([]byte(pages))))
	i.pushMetric("pages", strings.Count(pages, "\n"))
}

func main() {
	port, err := os.ReadFile("port")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	i := &importer{gateway: "http://127.0.0.1:" + strings.TrimSpace(string(port)) + "/push"}
	i.client.Timeout = 160 * time.Millisecond
	start := time.Now()
	for number := 0; time.Since(start) < 2*time.Second; number++ {
		i.importFile(number)
	}
	wall := time.Since(start)
	os.WriteFile("imported.txt", []byte(strings.Join(i.imported, "")), 0o644)
	os.WriteFile("truth", fmt.Appendf(nil, "pushing %.3f\nfiles %d\nfailed %d\n", i.pushing.Seconds()/wall.Seconds(), len(i.imported), i.failed), 0o644)
}
