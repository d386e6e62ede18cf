// Serves the pages of a museum guide from a zip archive.
package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"time"
)

const pages = 3000

func makeArchive(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	archive := zip.NewWriter(file)
	for n := 0; n < pages; n++ {
		page, err := archive.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("rooms/%d/exhibit-%04d.html", n%40, n), Method: zip.Store})
		if err != nil {
			return err
		}
		fmt.Fprintf(page, "<h1>Exhibit %d</h1><p>Room %d</p>", n, n%40)
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return file.Close()
}

//go:noinline
func readPage(path, name string) (string, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return "", err
	}
	defer archive.Close()
	page, err := archive.Open(name)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(page)
	return string(text), err
}

func main() {
	if err := makeArchive("guide.zip"); err != nil {
		panic(err)
	}
	start := time.Now()
	served, size := 0, 0
	for time.Since(start) < 2*time.Second {
		n := served * 31 % pages
		text, err := readPage("guide.zip", fmt.Sprintf("rooms/%d/exhibit-%04d.html", n%40, n))
		if err != nil {
			panic(err)
		}
		size += len(text)
		served++
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("served %d\nsize %d\nmilliseconds_per_page %.2f\n", served, size, 2000/float64(served))), 0o644)
}
