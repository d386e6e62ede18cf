"""Feeds of some cloisters: entries with dates, as each of them likes to write those."""
import datetime
import json
import random

rng = random.Random(4)
styles = ["%d %B %Y, %H:%M", "%A, %d %b %Y %H:%M:%S", "%d.%m.%Y %H:%M", "%Y/%m/%d %I:%M %p"]
for house in range(40):
    style = styles[house % len(styles)]
    entries = []
    for n in range(700):
        when = datetime.datetime(2026, 1, 1) + datetime.timedelta(minutes=rng.randrange(500_000))
        entries.append({"title": f"Note {n} of house {house}", "when": when.strftime(style)})
    with open(f"feed{house:02d}.json", "w") as out:
        json.dump(entries, out)
