// Renders the pages of a shop. Before each page it looks whether a template was changed.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type template struct {
	path    string
	text    string
	changed time.Time
}

type site struct {
	templates []*template
	looking   time.Duration
}

func loadSite(folder string) (*site, error) {
	s := &site{}
	for n := range 600 {
		path := filepath.Join(folder, fmt.Sprintf("part-%03d.html", n))
		text := fmt.Sprintf("<p>Part %d of {{name}}</p>\n", n)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		s.templates = append(s.templates, &template{path, text, info.ModTime()})
	}
	return s, nil
}

//go:noinline
func (s *site) refreshTemplates() (int, error) {
	before := time.Now()
	fresh := 0
	for _, t := range s.templates {
		info, err := os.Stat(t.path)
		if err != nil {
			return 0, err
		}
		if info.ModTime().After(t.changed) {
			text, err := os.ReadFile(t.path)
			if err != nil {
				return 0, err
			}
			t.text, t.changed = string(text), info.ModTime()
			fresh++
		}
	}
	s.looking += time.Since(before)
	return fresh, nil
}

func (s *site) renderPage(number int) (string, error) {
	if _, err := s.refreshTemplates(); err != nil {
		return "", err
	}
	var page strings.Builder
	for n := range 12 {
		t := s.templates[(number*12+n)%len(s.templates)]
		page.WriteString(strings.ReplaceAll(t.text, "{{name}}", fmt.Sprint("article ", number)))
	}
	return page.String(), nil
}

func main() {
	os.Mkdir("templates", 0o755)
	s, err := loadSite("templates")
	if err != nil {
		panic(err)
	}
	start, pages, bytes := time.Now(), 0, 0
	for ; time.Since(start) < 2*time.Second; pages++ {
		page, err := s.renderPage(pages)
		if err != nil {
			panic(err)
		}
		bytes += len(page)
	}
	os.WriteFile("truth", fmt.Appendf(nil, "looking %.3f\npages %d\nbytes %d\n", s.looking.Seconds()/time.Since(start).Seconds(), pages, bytes), 0o644)
}
