// A chess server: a dispatcher hands positions to an engine, and takes its moves.
package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

type move struct{ game, score int }

func think(game int) int {
	score := game
	for depth := range 9_000_000 {
		score = (score*1103515245 + depth) & 0x7fffffff
	}
	return score
}

func engine(positions <-chan int, moves chan<- move) {
	for game := range positions {
		moves <- move{game, think(game)}
	}
	close(moves)
}

func dispatch(positions chan<- int, moves <-chan move, until time.Time) (played, empty int) {
	positions <- 0
	for {
		select {
		case made := <-moves:
			played++
			if time.Now().After(until) {
				return played, empty
			}
			positions <- made.game + 1
		default:
			empty++
		}
	}
}

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

func main() {
	positions, moves := make(chan int), make(chan move, 1)
	start := time.Now()
	go engine(positions, moves)
	played, empty := dispatch(positions, moves, start.Add(2*time.Second))
	wall := time.Since(start).Seconds()
	text := fmt.Sprintf("cpus %.2f\nplayed %d\nempty_rounds %d\n", cpu()/wall, played, empty)
	if err := os.WriteFile("truth", []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
