"""Marks the names of streets in news: one expression with all names of the town."""
import re
import time

ENDINGS = ("street", "road", "lane", "walk", "square")
NAMES = [f"{first}{middle}{n % 7} {ENDINGS[n % 5]}" for n, (first, middle) in enumerate(
    (first, middle) for first in ("ash", "oak", "elm", "mill", "church", "north", "south", "king") for middle in
    ("field", "ham", "ford", "wood", "bury", "gate", "well", "stone", "bridge", "mouth") for _ in range(20))]
STREETS = re.compile("(?i)\\b(?:" + "|".join(NAMES) + ")\\b")


def write_news(number):
    return " ".join(("the mayor", "opened", "a bridge", "near", "the church", "in the north", "on sunday")[n * number % 7]
                    for n in range(400))


def mark_streets(text):
    return STREETS.sub(lambda name: f"<b>{name[0]}</b>", text)


def main():
    news = [write_news(number) for number in range(1, 40)]
    start, marked, matching = time.monotonic(), 0, 0.0
    while time.monotonic() - start < 2:
        before = time.monotonic()
        mark_streets(news[marked % len(news)])
        matching += time.monotonic() - before
        marked += 1
    took = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"matching {matching / took:.3f}\nmarked {marked}\n")


main()
