// Reads the handwritten notes of tide wardens. A note is parsed by recursive descent; what is not well
// formed is kept for the office.
package main

import (
	"fmt"
	"time"
)

type syntaxError struct {
	at   int
	want string
}

type parser struct {
	text string
	at   int
}

func (p *parser) fail(want string) {
	panic(syntaxError{p.at, want})
}

func (p *parser) expect(c byte) {
	if p.at >= len(p.text) || p.text[p.at] != c {
		p.fail(string(c))
	}
	p.at++
}

func (p *parser) number() int {
	begin, value := p.at, 0
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		value = value*10 + int(p.text[p.at]-'0')
		p.at++
	}
	if p.at == begin {
		p.fail("number")
	}
	return value
}

func (p *parser) group() int {
	if p.at < len(p.text) && p.text[p.at] == '(' {
		p.at++
		value := p.sum()
		p.expect(')')
		return value
	}
	return p.number()
}

func (p *parser) sum() int {
	value := p.group()
	for p.at < len(p.text) && p.text[p.at] == '+' {
		p.at++
		value += p.group()
	}
	return value
}

// level returns what a note says; ok is false if it cannot be read.
func level(note string) (value int, ok bool) {
	p := &parser{text: note}
	defer func() {
		if problem := recover(); problem != nil {
			if _, mine := problem.(syntaxError); !mine {
				panic(problem)
			}
			ok = false
		}
	}()
	value = p.sum()
	if p.at < len(p.text) {
		p.fail("end")
	}
	return value, true
}

func notes() []string {
	samples := []string{"((12+3", "(40+2)+1", "((((3+4)+(8+?)))))", "7+", "((17)+(2+(3+(4+x))))", "n/a", "(((((((9)+1)+2)+3)+4)+)+5)", "-"}
	all := make([]string, 0, 400)
	for i := 0; i < 400; i++ {
		all = append(all, samples[i*7%len(samples)])
	}
	return all
}

func main() {
	end := time.Now().Add(2 * time.Second)
	all := notes()
	read, unread, sum := 0, 0, 0
	for time.Now().Before(end) {
		for _, note := range all {
			if value, ok := level(note); ok {
				read++
				sum += value
			} else {
				unread++
			}
		}
	}
	fmt.Println(read, "notes read,", unread, "for the office, sum", sum)
}
