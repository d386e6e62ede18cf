// Draws lines on a screen whose library may only be used by one thread.
package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

type screen struct {
	pixels []byte
	calls  chan func()
}

func newScreen(locked bool) *screen {
	s := &screen{make([]byte, 640*480), make(chan func())}
	go s.serveScreen(locked)
	return s
}

func (s *screen) serveScreen(locked bool) {
	if locked {
		runtime.LockOSThread()
	}
	for call := range s.calls {
		call()
	}
}

func (s *screen) onThread(call func()) {
	done := make(chan struct{})
	s.calls <- func() {
		call()
		close(done)
	}
	<-done
}

func (s *screen) setPixel(x, y int, color byte) {
	s.onThread(func() { s.pixels[y*640+x] = color })
}

func (s *screen) drawLine(y int, color byte) {
	for x := range 640 {
		s.setPixel(x, y, color)
	}
}

func draw(s *screen, seconds time.Duration) float64 {
	lines := 0
	start := time.Now()
	for time.Since(start) < seconds {
		s.drawLine(lines%480, byte(lines))
		lines++
	}
	close(s.calls)
	return time.Since(start).Seconds() * 1e6 / float64(lines*640)
}

func main() {
	locked := draw(newScreen(true), 2*time.Second)
	free := draw(newScreen(false), 100*time.Millisecond)
	os.WriteFile("truth", fmt.Appendf(nil, "us_per_pixel %.2f\nus_per_pixel_unlocked %.2f\n", locked, free), 0o644)
}
