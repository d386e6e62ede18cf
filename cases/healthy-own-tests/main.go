// Runs the tests of a library of numbers on as many goroutines as there are CPUs. Each test computes for some
// milliseconds, the tests come from a channel with room for all of them, and the results are collected in their order.
package main

import (
	"fmt"
	"math/big"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

type result struct {
	name   string
	passed bool
	took   time.Duration
}

type test struct {
	name string
	run  func(seed int64) bool
}

func testFactors(seed int64) bool {
	count := 0
	for n := 2 + seed%7; n < 60_000; n += 11 {
		rest := n
		for factor := int64(2); factor*factor <= rest; factor++ {
			for rest%factor == 0 {
				rest /= factor
				count++
			}
		}
	}
	return count > 1000
}

func testPowers(seed int64) bool {
	product := big.NewInt(seed%100 + 3)
	modulus := new(big.Int).Lsh(big.NewInt(1), 2203)
	modulus.Sub(modulus, big.NewInt(1))
	return new(big.Int).Exp(product, new(big.Int).Rsh(modulus, 1900), modulus).Sign() > 0
}

func testSieve(seed int64) bool {
	limit := 300_000 + int(seed%1000)
	composite := make([]bool, limit)
	primes := 0
	for n := 2; n < limit; n++ {
		if composite[n] {
			continue
		}
		primes++
		for multiple := 2 * n; multiple < limit; multiple += n {
			composite[multiple] = true
		}
	}
	return primes > 25_000
}

var tests = []test{{"factors", testFactors}, {"powers", testPowers}, {"sieve", testSieve}}

func runTests(seeds int64, workers int) []result {
	results := make([]result, seeds*int64(len(tests)))
	jobs := make(chan int, len(results))
	for n := range results {
		jobs <- n
	}
	close(jobs)
	var pending sync.WaitGroup
	for range workers {
		pending.Go(func() {
			for n := range jobs {
				before := time.Now()
				one, seed := tests[n%len(tests)], int64(n/len(tests))
				results[n] = result{fmt.Sprintf("%s/%d", one.name, seed), one.run(seed), time.Since(before)}
			}
		})
	}
	pending.Wait()
	return results
}

func main() {
	start := time.Now()
	passed, failed := 0, 0
	for time.Since(start) < 2*time.Second {
		for _, one := range runTests(40, runtime.NumCPU()) {
			if one.passed {
				passed++
			} else {
				failed++
				fmt.Println(one.name, "failed after", one.took)
			}
		}
	}
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	wall := time.Since(start).Seconds()
	os.WriteFile("truth", fmt.Appendf(nil, "passed %d\nfailed %d\ncpus %.2f\n", passed, failed,
		(float64(used.Utime.Nano())+float64(used.Stime.Nano()))/1e9/wall), 0o644)
}
