"""Stores the readings of a greenhouse in one compressed journal per house."""
import gzip
import json
import os
import random
import time


class Journal:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def store(self, reading):
        path = os.path.join(self.folder, f"house-{reading['house']}.jsonl.gz")
        with gzip.open(path, "at", encoding="utf-8") as out:
            out.write(json.dumps(reading) + "\n")


def readings():
    rng = random.Random(8)
    i = 0
    while True:
        i += 1
        yield {"id": i, "house": i % 4, "temperature": round(rng.gauss(21, 3), 1), "humidity": rng.randrange(40, 95)}


def main():
    journal = Journal("journals")
    start, stored, spent = time.monotonic(), 0, 0.0
    for reading in readings():
        t = time.monotonic()
        if t - start > 2.0:
            break
        journal.store(reading)
        spent += time.monotonic() - t
        stored += 1
    print(stored, "readings,", sum(os.path.getsize(f"journals/{f}") for f in os.listdir("journals")), "bytes")
    with open("truth", "w") as out:
        print("store", round(spent / (time.monotonic() - start), 2), file=out)


if __name__ == "__main__":
    main()
