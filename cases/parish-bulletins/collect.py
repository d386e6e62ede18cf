"""Collects the bulletins of a parish and counts their words."""
import collections
import time
from pathlib import Path

import requests

SITE = "http://127.0.0.1:18497/bulletin/"


def fetch(session, number):
    answer = session.get(SITE + str(number), timeout=10)
    answer.raise_for_status()
    return answer


def read_text(answer):
    return answer.text


def count_words(counts, text):
    counts.update(text.split())


def main():
    started = time.monotonic()
    reading = 0.0
    counts = collections.Counter()
    number = 0
    with requests.Session() as session:
        while time.monotonic() - started < 2:
            answer = fetch(session, number)
            before = time.monotonic()
            text = read_text(answer)
            reading += time.monotonic() - before
            count_words(counts, text)
            number += 1
    share = reading / (time.monotonic() - started)
    Path("truth").write_text(f"share {share:.2f}\nbulletins {number}\n")
    print(counts.most_common(3))


if __name__ == "__main__":
    main()
