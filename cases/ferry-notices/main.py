"""Turns the notices of a harbour into lines for its displays. Add-ons may bring formatters."""
import importlib.metadata
import random
import sys
import time

SHIPS = ["Aurora", "Borea", "Castor", "Delfin", "Egmont"]
TEXTS = ["boarding", "delayed by ten minutes", "cancelled", "last call"]


def notices(count):
    rng = random.Random(3)
    for i in range(count):
        yield {"ship": rng.choice(SHIPS), "pier": i % 9, "text": rng.choice(TEXTS), "style": f"format{rng.randrange(14) * 10}"}


def formatter_for(style):
    """The formatter that an add-on has registered for a style."""
    for entry in importlib.metadata.entry_points(group="harbour.formatters"):
        if entry.name == style:
            return entry.load()
    return repr


def display(notice, lines):
    text = formatter_for(notice["style"])(notice)
    lines.append(text.upper())


def main():
    sys.path.insert(0, "site")
    lines, spent = [], 0.0
    start = time.monotonic()
    for notice in notices(1_000_000):
        t = time.monotonic()
        if t - start > 2.0:
            break
        display(notice, lines)
    print(len(lines), "lines;", lines[-1])


if __name__ == "__main__":
    main()
