// The lockers of a swimming bath: a map says who has which, and is searched for the guest.
package main

import (
	"fmt"
	"os"
	"time"
)

type bath struct{ guests map[int]string }

func open(lockers int) *bath {
	b := &bath{map[int]string{}}
	for n := 0; n < lockers; n++ {
		b.guests[n] = fmt.Sprint("guest ", n*7919%100_003)
	}
	return b
}

func (b *bath) lockerOf(guest string) int {
	for locker, name := range b.guests {
		if name == guest {
			return locker
		}
	}
	return -1
}

func ask(lockers int, d time.Duration) (perQuestion float64, found int) {
	b, start, asked := open(lockers), time.Now(), 0
	for ; time.Since(start) < d; asked++ {
		found += b.lockerOf(b.guests[asked*31%lockers])
	}
	return time.Since(start).Seconds() / float64(asked) * 1e6, found
}

func main() {
	all, found := ask(6000, 2*time.Second)
	tenth, more := ask(600, 50*time.Millisecond)
	text := fmt.Sprintf("us_per_question %.2f\nus_with_a_tenth_of_the_lockers %.2f\nfound %d\n", all, tenth, found+more)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		panic(err)
	}
}
