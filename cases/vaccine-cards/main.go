// Enters the vaccinations of a day on the patients' cards, one file for each patient.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

type shot struct {
	Vaccine string `json:"vaccine"`
	Day     string `json:"day"`
	Batch   int    `json:"batch"`
}

var saving time.Duration

// saveShot adds a line to the patient's card. It never loses one, whatever happens to the power.
func saveShot(folder string, patient int, s shot) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(cardPath(folder, patient), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(append(text, '\n')); err != nil {
		return err
	}
	return file.Sync()
}

func cardPath(folder string, patient int) string {
	return filepath.Join(folder, fmt.Sprintf("patient-%05d.card", patient))
}

// loadCard returns the shots that a patient has had.
func loadCard(folder string, patient int) []shot {
	var shots []shot
	text, err := os.ReadFile(cardPath(folder, patient))
	if err != nil {
		return nil
	}
	lines := json.NewDecoder(bytes.NewReader(text))
	for {
		var s shot
		if lines.Decode(&s) != nil {
			return shots
		}
		shots = append(shots, s)
	}
}

func main() {
	vaccines := []string{"tetanus", "measles", "flu"}
	if err := os.MkdirAll("cards", 0o755); err != nil {
		panic(err)
	}
	start := time.Now()
	entered, due := 0, 0
	for time.Since(start) < 2*time.Second {
		before := time.Now()
		if err := saveShot("cards", entered%40, shot{vaccines[entered%3], "2024-05-17", 1000 + entered%4}); err != nil {
			panic(err)
		}
		saving += time.Since(before)
		if len(loadCard("cards", entered%40)) < 3 {
			due++
		}
		entered++
	}
	fmt.Println(due, "reminders")
	wall := time.Since(start)
	truth := fmt.Sprintf("share %.3f\nshots %d\n", saving.Seconds()/wall.Seconds(), entered)
	os.WriteFile("truth", []byte(truth), 0o644)
}
