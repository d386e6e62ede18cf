// Packs the results of a football season into one archive.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand"
	"os"
	"time"
)

func result(random *rand.Rand, league, match int) string {
	clubs := []string{"Rovers", "United", "Wanderers", "Albion", "Athletic", "Rangers"}
	home, away := clubs[random.Intn(len(clubs))], clubs[random.Intn(len(clubs))]
	return fmt.Sprintf("league %d; match %05d; %s %d : %d %s; %d visitors; referee %x\n",
		league, match, home, random.Intn(6), random.Intn(5), away, random.Intn(40000), random.Int63())
}

func sheet(league int) []byte {
	random := rand.New(rand.NewSource(int64(league)))
	var text bytes.Buffer
	for match := 0; match < 6000; match++ {
		text.WriteString(result(random, league, match))
	}
	return text.Bytes()
}

func pack(path string, sheets [][]byte) (int, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	press := gzip.NewWriter(file)
	archive := tar.NewWriter(press)
	total := 0
	for league, text := range sheets {
		header := &tar.Header{Name: fmt.Sprintf("league-%02d.txt", league), Mode: 0o644, Size: int64(len(text))}
		if err := archive.WriteHeader(header); err != nil {
			return total, err
		}
		if _, err := archive.Write(text); err != nil {
			return total, err
		}
		total += len(text)
	}
	if err := archive.Close(); err != nil {
		return total, err
	}
	return total, press.Close()
}

func main() {
	start := time.Now()
	packed, seasons := 0, 0
	var sheets [][]byte
	for league := 0; league < 8; league++ {
		sheets = append(sheets, sheet(league))
	}
	for ; time.Since(start) < 2200*time.Millisecond; seasons++ {
		bytes, err := pack(fmt.Sprintf("season-%02d.tar.gz", seasons%5), sheets)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		packed += bytes
	}
	truth := fmt.Sprintf("seasons %d\nmegabytes %d\n", seasons, packed>>20)
	os.WriteFile("truth", []byte(truth), 0o644)
}
