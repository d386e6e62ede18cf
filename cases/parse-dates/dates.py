"""Sums up sales per day; parses each date with strptime."""
import datetime
import time


def parse_date(text):
    return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S")


def load(lines):
    days = {}
    for line in lines:
        date, amount = line.split(";")
        day = parse_date(date).date()
        days[day] = days.get(day, 0) + int(amount)
    return days


LINES = [f"2026-{1 + n % 12:02}-{1 + n % 28:02} 12:{n % 60:02}:00;{n}" for n in range(2000)]
start, loads = time.monotonic(), 0
while time.monotonic() - start < 2:
    load(LINES)
    loads += 1
with open("truth", "w") as truth:
    truth.write(f"dates {loads * len(LINES)}\n")
