// Makes invitations: whoever has one already, which shows the folder, gets no second one.
package main

import (
	"fmt"
	"os"
	"time"
)

func isInvited(folder, name string) bool {
	entries, err := os.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		if entry.Name() == name {
			return true
		}
	}
	return false
}

func invite(folder string, guest int) bool {
	name := fmt.Sprintf("guest-%05d.txt", guest)
	if isInvited(folder, name) {
		return false
	}
	return os.WriteFile(folder+"/"+name, []byte("You are invited.\n"), 0o644) == nil
}

func main() {
	if err := os.Mkdir("invitations", 0o755); err != nil {
		panic(err)
	}
	for guest := range 3000 {
		os.WriteFile(fmt.Sprintf("invitations/guest-%05d.txt", guest*2), nil, 0o644)
	}
	start, asked, invited := time.Now(), 0, 0
	for ; time.Since(start) < 2*time.Second; asked++ {
		if invite("invitations", asked*7919%6000) {
			invited++
		}
	}
	took := time.Since(start)
	os.RemoveAll("invitations")
	text := fmt.Sprintf("asked %d\ninvited %d\nus_each %d\n", asked, invited, took.Microseconds()/int64(asked))
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
