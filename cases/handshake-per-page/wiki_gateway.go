// A wiki behind HTTPS with a key of 4096 bits.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
)

func page(out http.ResponseWriter, request *http.Request) {
	fmt.Fprintln(out, "This is", request.URL.Path, strings.Repeat("and here are some more words. ", 40))
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	os.WriteFile("port", []byte(listener.Addr().String()), 0o644)
	os.Rename("port", "ready")
	folder := os.Getenv("CASE")
	log.Fatal(http.ServeTLS(listener, http.HandlerFunc(page), folder+"/cert.pem", folder+"/key.pem"))
}
