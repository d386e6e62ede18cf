"""The event loop of a wind farm's control: it keeps the state of each mill up to date with what their sensors send."""
import logging
import time
from collections import deque

log = logging.getLogger("farm.control")
logged = 0.0


def set_up_log():
    handler = logging.FileHandler("farm.log")
    handler.setFormatter(logging.Formatter(
        "%(asctime)s %(levelname)-7s %(name)s [%(threadName)s %(process)d] %(funcName)s:%(lineno)d %(message)s"))
    logging.basicConfig(level=logging.DEBUG, handlers=[handler])


def note(text, *values):
    global logged
    before = time.perf_counter()
    log.debug(text, *values, stacklevel=2)
    logged += time.perf_counter() - before


class Mill:
    def __init__(self, number):
        self.number = number
        self.wind = self.turns = 0.0
        self.braked = False

    def take(self, kind, value):
        note("mill %d gets %s %.2f", self.number, kind, value)
        if kind == "wind":
            self.wind = 0.9 * self.wind + 0.1 * value
            note("mill %d: smoothed wind is %.3f", self.number, self.wind)
        else:
            self.turns += value
        self.braked = self.wind > 22
        note("mill %d: %s", self.number, "braked" if self.braked else "free")


def sensors(mills):
    number = 0
    while True:
        number += 1
        yield number % mills, "wind" if number % 3 else "turns", number * 7919 % 2500 / 100


def main():
    set_up_log()
    mills = [Mill(n) for n in range(24)]
    start = time.perf_counter()
    events = deque()
    handled = 0
    source = sensors(len(mills))
    while time.perf_counter() - start < 1.9:
        events.extend(next(source) for _ in range(50))
        while events:
            number, kind, value = events.popleft()
            mills[number].take(kind, value)
            handled += 1
    wall = time.perf_counter() - start
    with open("truth", "w") as f:
        f.write(f"share {logged / wall:.3f}\nhandled {handled}\n")


main()
