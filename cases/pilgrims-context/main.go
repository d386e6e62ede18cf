// Guides pilgrims from one inn to the next. What belongs to a step is kept in the context, as is the pilgrim's name.
package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

type key string

const (
	pilgrimKey key = "pilgrim"
	stepKey    key = "step"
	innKey     key = "inn"
)

//go:noinline
func pilgrim(ctx context.Context) string {
	name, _ := ctx.Value(pilgrimKey).(string)
	return name
}

//go:noinline
func walkStep(ctx context.Context, step int) int {
	inn, _ := ctx.Value(innKey).(string)
	return len(pilgrim(ctx)) + len(inn) + step%3
}

//go:noinline
func walk(ctx context.Context, until time.Time) (steps, sum int) {
	for time.Now().Before(until) {
		ctx = context.WithValue(ctx, stepKey, steps)
		ctx = context.WithValue(ctx, innKey, fmt.Sprintf("inn %d", steps%40))
		sum += walkStep(ctx, steps)
		steps++
	}
	return steps, sum
}

func main() {
	ctx := context.WithValue(context.Background(), pilgrimKey, "Egeria")
	steps, sum := walk(ctx, time.Now().Add(2*time.Second))
	os.WriteFile("truth", []byte(fmt.Sprintf("steps %d\nsum %d\n", steps, sum)), 0o644)
}
