// Follows the ships on a radar: each echo of a turn goes to the nearest track.
package main

import (
	"fmt"
	"math"
	"time"
)

type point struct{ x, y float64 }

type track struct {
	number int
	last   point
	speed  point
	turns  int
	past   [512]point
}

type echo struct {
	at    point
	power float64
}

func newTracks(count int) []track {
	tracks := make([]track, count)
	for i := range tracks {
		tracks[i].number = i
		tracks[i].last = point{float64(i*37%1000) / 10, float64(i*91%1000) / 10}
		tracks[i].speed = point{float64(i%7-3) / 50, float64(i%5-2) / 50}
	}
	return tracks
}

func echoesOf(tracks []track, turn int) []echo {
	echoes := make([]echo, 0, 64)
	for i := turn % 5; i < len(tracks); i += 5 {
		t := &tracks[i]
		noise := float64((turn*13+i*29)%17-8) / 200
		echoes = append(echoes, echo{point{t.last.x + t.speed.x + noise, t.last.y + t.speed.y - noise}, 1})
	}
	return echoes
}

func distance(a, b point) float64 {
	return math.Hypot(a.x-b.x, a.y-b.y)
}

// nearest returns the place of the track that is next to the echo.
func nearest(tracks []track, e echo) int {
	best, least := -1, math.Inf(1)
	for i, t := range tracks {
		d := distance(expected(t), e.at)
		if d < least {
			best, least = i, d
		}
	}
	return best
}

func expected(t track) point {
	return point{t.last.x + t.speed.x, t.last.y + t.speed.y}
}

func follow(t *track, e echo) {
	t.past[t.turns%len(t.past)] = t.last
	t.last = e.at
	t.turns++
}

func main() {
	end := time.Now().Add(2 * time.Second)
	tracks := newTracks(240)
	turns, followed := 0, 0
	for time.Now().Before(end) {
		for _, e := range echoesOf(tracks, turns) {
			if i := nearest(tracks, e); i >= 0 {
				follow(&tracks[i], e)
				followed++
			}
		}
		turns++
	}
	fmt.Println(turns, "turns,", followed, "echoes followed, track 7 at", tracks[7].last)
}
