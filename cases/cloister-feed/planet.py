"""Gathers the feeds of some cloisters on one page, the newest entries first."""
import json
import time
from datetime import datetime
from pathlib import Path

FORMATS = ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d %I:%M %p", "%d.%m.%Y %H:%M",
           "%A, %d %b %Y %H:%M:%S", "%d %B %Y, %H:%M")
PAUSE = 0.03  # between two houses, when they were still fetched


def parse_when(text):
    for form in FORMATS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    raise ValueError(text)


def read_feed(path):
    return json.loads(path.read_text())


def rest_between_houses():
    time.sleep(PAUSE)


def gather(folder, seconds):
    started = time.monotonic()
    parsing = resting = 0.0
    page = []
    for path in sorted(folder.glob("feed*.json")):
        entries = read_feed(path)
        before = time.monotonic()
        page += [(parse_when(entry["when"]), entry["title"]) for entry in entries]
        after = time.monotonic()
        rest_between_houses()
        parsing += after - before
        resting += time.monotonic() - after
        if time.monotonic() - started > seconds:
            break
    page.sort(reverse=True)
    total = time.monotonic() - started
    return page, parsing / total, resting / total


def main():
    page, parsing, resting = gather(Path("."), 2.0)
    Path("truth").write_text(f"share {parsing:.2f}\nresting {resting:.2f}\n")
    for when, title in page[:5]:
        print(when, title)


if __name__ == "__main__":
    main()
