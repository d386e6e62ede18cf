// Checks the readings of meters. What cannot be parsed is collected with the reason, for the office.
package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"
)

type problem struct {
	meter  int
	reason string
	trace  string
}

func parseReading(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		panic(errors.Unwrap(err))
	}
	return value
}

func checkReading(meter int, text string, problems *[]problem) (value int) {
	defer func() {
		if r := recover(); r != nil {
			*problems = append(*problems, problem{meter, fmt.Sprint(r), string(debug.Stack())})
			value = -1
		}
	}()
	return parseReading(text)
}

func checkStreet(street int, problems *[]problem) int {
	sum := 0
	for house := 0; house < 50; house++ {
		text := strconv.Itoa(street*131 + house*17)
		if (street+house)%3 != 0 {
			text = "n/a"
		}
		if value := checkReading(street*50+house, text, problems); value >= 0 {
			sum += value
		}
	}
	return sum
}

func main() {
	end := time.Now().Add(2 * time.Second)
	streets, sum, failed := 0, 0, 0
	for time.Now().Before(end) {
		var problems []problem
		sum += checkStreet(streets, &problems)
		failed += len(problems)
		streets++
	}
	fmt.Println(streets, "streets,", sum, "kWh,", failed, "readings without a number")
}
