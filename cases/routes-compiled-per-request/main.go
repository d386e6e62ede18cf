// The router of a web application: which handler gets a path.
package main

import (
	"fmt"
	"os"
	"regexp"
	"time"
)

var parts = []string{"orders", "customers", "articles", "shelves", "carriers", "returns", "vouchers", "reviews"}

func routes() (all []string) {
	for _, part := range parts {
		all = append(all, "^/"+part+"$", "^/"+part+`/(\d+)$`, "^/"+part+`/(\d+)/history(\.json|\.csv)?$`,
			"^/"+part+`/by-day/(\d{4})-(\d{2})-(\d{2})$`, "^/"+part+`/search/([a-z0-9_-]+)$`)
	}
	return all
}

func findRoute(routes []string, path string) int {
	for number, route := range routes {
		if regexp.MustCompile(route).MatchString(path) {
			return number
		}
	}
	return -1
}

func findCompiled(routes []*regexp.Regexp, path string) int {
	for number, route := range routes {
		if route.MatchString(path) {
			return number
		}
	}
	return -1
}

func path(request int) string {
	part := parts[request%len(parts)]
	switch request % 3 {
	case 0:
		return fmt.Sprintf("/%s/%d/history.csv", part, request)
	case 1:
		return fmt.Sprintf("/%s/by-day/2024-%02d-%02d", part, request%12+1, request%28+1)
	}
	return "/" + part + "/search/red-shoes"
}

func main() {
	all := routes()
	requests, lost := 0, 0
	start := time.Now()
	for time.Since(start) < 2*time.Second {
		if findRoute(all, path(requests)) < 0 {
			lost++
		}
		requests++
	}
	each := time.Since(start).Seconds() / float64(requests)
	var compiled []*regexp.Regexp
	for _, route := range all {
		compiled = append(compiled, regexp.MustCompile(route))
	}
	before := time.Now()
	for request := range 2000 {
		findCompiled(compiled, path(request))
	}
	other := time.Since(before).Seconds() / 2000
	os.WriteFile("truth", fmt.Appendf(nil, "compiling %.3f\nrequests %d\nlost %d\n", 1-other/each, requests, lost), 0o644)
}
