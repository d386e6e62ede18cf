// A mail archive is indexed: four goroutines read mails, and hand each over an unbuffered channel to the only goroutine
// that may touch the index, which splits it into words and stems them.
package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"
)

type mail struct {
	number int
	text   string
}

type index struct {
	mails map[string][]int
	busy  time.Duration
	count int
}

var words = strings.Fields("meeting invoices Tuesday reminder delivered attachments regarding shipment payments overdue " +
	"kindly forwarding contracts negotiated colleagues schedule postponed questions answered thanks")

func readMail(number int) mail {
	var text strings.Builder
	for n := range 400 {
		text.WriteString(words[(number*7+n*n)%len(words)])
		text.WriteByte(" ,.\n"[n%4])
	}
	return mail{number, text.String()}
}

func stem(word string) string {
	word = strings.ToLower(word)
	for _, ending := range []string{"ments", "ings", "ing", "ers", "ed", "ly", "s"} {
		if rest, found := strings.CutSuffix(word, ending); found && len(rest) > 3 {
			return rest
		}
	}
	return word
}

func (x *index) indexMail(m mail) {
	before := time.Now()
	seen := map[string]bool{}
	for range 8 { // subject, body, quoted text, each in two languages and two spellings
		for _, word := range strings.FieldsFunc(m.text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			root := stem(word)
			if !seen[root] {
				seen[root] = true
				if found := x.mails[root]; len(found) < 1000 {
					x.mails[root] = append(found, m.number)
				}
			}
		}
	}
	x.count++
	x.busy += time.Since(before)
}

func readMails(first int, mails chan<- mail, until time.Time) time.Duration {
	var waited time.Duration
	for n := first; time.Now().Before(until); n += 4 {
		next := readMail(n)
		before := time.Now()
		mails <- next
		waited += time.Since(before)
	}
	return waited
}

func main() {
	mails := make(chan mail)
	x := &index{mails: map[string][]int{}}
	start := time.Now()
	waits := make([]time.Duration, 4)
	var readers sync.WaitGroup
	for n := range waits {
		readers.Go(func() { waits[n] = readMails(n, mails, start.Add(2*time.Second)) })
	}
	go func() {
		readers.Wait()
		close(mails)
	}()
	for m := range mails {
		x.indexMail(m)
	}
	wall := time.Since(start).Seconds()
	os.WriteFile("truth", fmt.Appendf(nil, "mails %d\nindexing %.3f\nreader_waits %.3f\n", x.count, x.busy.Seconds()/wall,
		(waits[0]+waits[1]+waits[2]+waits[3]).Seconds()/4/wall), 0o644)
}
