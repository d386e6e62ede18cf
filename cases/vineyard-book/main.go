// Notes the weights of the grapes in the book of a vineyard, which the press house uses, too.
package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

var waiting time.Duration

func openBook(name string) (*os.File, error) {
	book, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	before := time.Now()
	if err := syscall.Flock(int(book.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	waiting += time.Since(before)
	return book, nil
}

func noteGrapes(row, kilos int) error {
	book, err := openBook("grapes.book")
	if err != nil {
		return err
	}
	defer book.Close()
	_, err = fmt.Fprintf(book, "row %d: %d kg\n", row, kilos)
	return err
}

func main() {
	start := time.Now()
	rows := 0
	for ; time.Since(start) < 2*time.Second; rows++ {
		if err := noteGrapes(rows, rows*37%90+10); err != nil {
			panic(err)
		}
	}
	text := fmt.Sprintf("share %.3f\nrows %d\n", waiting.Seconds()/time.Since(start).Seconds(), rows)
	os.WriteFile("truth", []byte(text), 0o644)
}
