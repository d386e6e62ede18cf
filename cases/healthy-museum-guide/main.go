// Serves the pages of a museum guide from a zip archive that stays open, and makes an index of their words.
package main

import (
	"archive/zip"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strings"
	"time"
)

const pages = 600

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
		for line := 0; line < 120; line++ {
			fmt.Fprintf(page, "exhibit %d of room %d was found near the river in the year %d\n", n, n%40, 1700+line)
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return file.Close()
}

//go:noinline
func readPage(page *zip.File) (string, error) {
	reader, err := page.Open()
	if err != nil {
		return "", err
	}
	defer reader.Close()
	text, err := io.ReadAll(reader)
	return string(text), err
}

//go:noinline
func indexWords(words map[string]int, text string) uint64 {
	hash := fnv.New64a()
	for _, word := range strings.Fields(text) {
		words[word]++
		io.WriteString(hash, word)
	}
	return hash.Sum64()
}

func main() {
	if err := makeArchive("guide.zip"); err != nil {
		panic(err)
	}
	archive, err := zip.OpenReader("guide.zip")
	if err != nil {
		panic(err)
	}
	defer archive.Close()
	start := time.Now()
	served, words, sum := 0, map[string]int{}, uint64(0)
	for time.Since(start) < 2*time.Second {
		text, err := readPage(archive.File[served*31%pages])
		if err != nil {
			panic(err)
		}
		sum ^= indexWords(words, text)
		served++
	}
	os.WriteFile("truth", []byte(fmt.Sprintf("served %d\nwords %d\nsum %d\n", served, len(words), sum)), 0o644)
}
