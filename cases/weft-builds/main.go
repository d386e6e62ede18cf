// Decides which patterns of a weaving mill must be woven again: those that are older than one of the yarn files.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const patterns = 100000

type mill struct {
	yarns  []string
	asking time.Duration
}

func (m *mill) furnish(count int) error {
	if err := os.MkdirAll("yarns", 0o755); err != nil {
		return err
	}
	for n := range count {
		name := filepath.Join("yarns", fmt.Sprintf("yarn-%03d.txt", n))
		if err := os.WriteFile(name, []byte(fmt.Sprintln("colour", n*7919%4096)), 0o644); err != nil {
			return err
		}
		m.yarns = append(m.yarns, name)
	}
	return nil
}

func (m *mill) isOlderThanYarn(woven time.Time) (bool, error) {
	before := time.Now()
	defer func() { m.asking += time.Since(before) }()
	for _, yarn := range m.yarns {
		info, err := os.Stat(yarn)
		if err != nil {
			return false, err
		}
		if info.ModTime().After(woven) {
			return true, nil
		}
	}
	return false, nil
}

func main() {
	start := time.Now()
	var m mill
	if err := m.furnish(400); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	checked, again := 0, 0
	for ; checked < patterns && time.Since(start) < 2*time.Second; checked++ {
		woven := start.Add(time.Duration(5+checked%9) * time.Second)
		old, err := m.isOlderThanYarn(woven)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if old {
			again++
		}
	}
	share := m.asking.Seconds() / time.Since(start).Seconds()
	os.WriteFile("truth", []byte(fmt.Sprintf("share %.3f\nchecked %d\nagain %d\n", share, checked, again)), 0o644)
}
