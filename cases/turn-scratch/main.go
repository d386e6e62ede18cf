// turn-scratch looks for the fields that a piece can reach, turn after turn, with a scratch map that is kept.
package main

import (
	"fmt"
	"time"
)

type field struct{ x, y int16 }

type searcher struct {
	seen  map[field]uint8
	queue []field
}

var steps = [...]field{{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}

// reach counts the fields within some moves of a knight.
func (s *searcher) reach(from field, moves uint8) int {
	s.forget()
	s.queue = append(s.queue[:0], from)
	s.seen[from] = 0
	for i := 0; i < len(s.queue); i++ {
		f := s.queue[i]
		d := s.seen[f]
		if d == moves {
			continue
		}
		for _, step := range steps {
			next := field{f.x + step.x, f.y + step.y}
			if _, ok := s.seen[next]; !ok {
				s.seen[next] = d + 1
				s.queue = append(s.queue, next)
			}
		}
	}
	return len(s.queue)
}

//go:noinline
func (s *searcher) forget() {
	clear(s.seen)
}

func main() {
	end := time.Now().Add(2 * time.Second)
	s := &searcher{seen: make(map[field]uint8)}
	// how large is the board? Once as far as it goes
	fmt.Println(s.reach(field{0, 0}, 170), "fields in all")
	turns, fields := 0, 0
	for time.Now().Before(end) {
		fields += s.reach(field{int16(turns % 90), int16(turns % 70)}, 2)
		turns++
	}
	fmt.Printf("%d turns, %d fields\n", turns, fields)
}
