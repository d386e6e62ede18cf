// The chains of chain.c in Go: maps, JSON, garbage, goroutines that share a lock.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"
)

var (
	sink int
	lock sync.Mutex
)

//go:noinline
func compute(seed uint32) {
	numbers := make([]uint32, 3000)
	for i := range numbers {
		seed += 0x9e3779b9
		numbers[i] = seed >> 7
	}
	sort.Slice(numbers, func(a, b int) bool { return numbers[a] < numbers[b] })
	names := map[string]int{}
	text := ""
	for i, number := range numbers[:200] {
		names[strconv.Itoa(int(number))] += i
		if i%10 == 0 {
			text += fmt.Sprintf("%d %.3f", number, float64(number))
		}
	}
	bytes, _ := json.Marshal(names)
	sink += len(bytes) + len(text)
}

//go:noinline
func waitALittle(n int) {
	if n%2 == 1 {
		lock.Lock()
		time.Sleep(700 * time.Microsecond)
		lock.Unlock()
	} else {
		time.Sleep(700 * time.Microsecond)
	}
	sink += n
}

//go:noinline
func bottom_0() { compute(0); waitALittle(0); sink++ }

//go:noinline
func bottom_1() { compute(1); waitALittle(1); sink++ }

//go:noinline
func bottom_2() { compute(2); waitALittle(2); sink++ }

//go:noinline
func bottom_3() { compute(3); waitALittle(3); sink++ }

//go:noinline
func bottom_4() { compute(4); waitALittle(4); sink++ }

//go:noinline
func bottom_5() { compute(5); waitALittle(5); sink++ }

//go:noinline
func bottom_6() { compute(6); waitALittle(6); sink++ }

//go:noinline
func bottom_7() { compute(7); waitALittle(7); sink++ }

var bottoms = []func(){bottom_0, bottom_1, bottom_2, bottom_3, bottom_4, bottom_5, bottom_6, bottom_7}

//go:noinline
func turn_8(n int) { bottoms[n](); sink++ }

//go:noinline
func left_7(n int) { turn_8(n); sink++ }

//go:noinline
func right_7(n int) { turn_8(n); sink++ }

func turn_7(n int) {
	if n>>(7%3)&1 == 1 {
		right_7(n)
	} else {
		left_7(n)
	}
}

//go:noinline
func left_6(n int) { turn_7(n); sink++ }

//go:noinline
func right_6(n int) { turn_7(n); sink++ }

func turn_6(n int) {
	if n>>(6%3)&1 == 1 {
		right_6(n)
	} else {
		left_6(n)
	}
}

//go:noinline
func left_5(n int) { turn_6(n); sink++ }

//go:noinline
func right_5(n int) { turn_6(n); sink++ }

func turn_5(n int) {
	if n>>(5%3)&1 == 1 {
		right_5(n)
	} else {
		left_5(n)
	}
}

//go:noinline
func left_4(n int) { turn_5(n); sink++ }

//go:noinline
func right_4(n int) { turn_5(n); sink++ }

func turn_4(n int) {
	if n>>(4%3)&1 == 1 {
		right_4(n)
	} else {
		left_4(n)
	}
}

//go:noinline
func left_3(n int) { turn_4(n); sink++ }

//go:noinline
func right_3(n int) { turn_4(n); sink++ }

func turn_3(n int) {
	if n>>(3%3)&1 == 1 {
		right_3(n)
	} else {
		left_3(n)
	}
}

//go:noinline
func left_2(n int) { turn_3(n); sink++ }

//go:noinline
func right_2(n int) { turn_3(n); sink++ }

func turn_2(n int) {
	if n>>(2%3)&1 == 1 {
		right_2(n)
	} else {
		left_2(n)
	}
}

//go:noinline
func left_1(n int) { turn_2(n); sink++ }

//go:noinline
func right_1(n int) { turn_2(n); sink++ }

func turn_1(n int) {
	if n>>(1%3)&1 == 1 {
		right_1(n)
	} else {
		left_1(n)
	}
}

//go:noinline
func left_0(n int) { turn_1(n); sink++ }

//go:noinline
func right_0(n int) { turn_1(n); sink++ }

func turn_0(n int) {
	if n>>(0%3)&1 == 1 {
		right_0(n)
	} else {
		left_0(n)
	}
}

func work(until time.Time) {
	for n := 0; time.Now().Before(until); n++ {
		turn_0(n % 8)
	}
}

func main() {
	seconds := 1.0
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	until := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	var all sync.WaitGroup
	for i := 0; i < 2; i++ {
		all.Add(1)
		go func() { work(until); all.Done() }()
	}
	all.Wait()
}
