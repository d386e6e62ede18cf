"""Shows the height of snow at a station: looks every INTERVAL seconds, for SECONDS, and warns of quick changes."""
import argparse
import collections
import os
import statistics
import time


class Gauge:
    def __init__(self, path):
        self.path = path

    def height(self):
        with open(self.path) as f:
            return float(f.readline().split()[1])


class Watch:
    def __init__(self, gauge, keep=20):
        self.gauge = gauge
        self.heights = collections.deque(maxlen=keep)
        self.warnings = 0

    def look(self):
        try:
            height = self.gauge.height()
        except (OSError, ValueError, IndexError):
            return
        if len(self.heights) >= 3 and abs(height - statistics.fmean(self.heights)) > 15:
            self.warnings += 1
            print(f"{time.strftime('%H:%M:%S')} quick change: {height:.1f} cm")
        self.heights.append(height)


def follow(watch, interval, seconds):
    start = time.monotonic()
    due = start
    while due < start + seconds:
        watch.look()
        due += interval
        time.sleep(max(0.0, min(due, start + seconds) - time.monotonic()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interval", type=float, default=1.0)
    parser.add_argument("--for", dest="seconds", type=float, default=10.0)
    parser.add_argument("path")
    args = parser.parse_args()
    watch = Watch(Gauge(args.path))
    follow(watch, args.interval, args.seconds)
    print(f"{len(watch.heights)} heights, {watch.warnings} warnings, now {watch.heights[-1]:.1f} cm")


if __name__ == "__main__":
    main()
